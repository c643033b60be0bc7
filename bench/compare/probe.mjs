// A fresh execution environment that loads a bundle, has it answer, and tells by descriptor 3 what that took. Plain JavaScript,
// with next to no imports: what it loads itself would be missing from what the bundle takes.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The bundle, and what it is asked: a first request, then each of `loops` again and again, with other bundles by turns. From the
 * first request on it has the processor's share that the control group `group` has, if there is one.
 */
const { entry, first, loops, others, group } = JSON.parse(readFileSync(0, 'utf8'));

/** Milliseconds, on the wall and of the processor. */
const clock = () => {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), processor: (user + system) / 1000 };
};
const between = (from, to) => ({ wall: to.wall - from.wall, processor: to.processor - from.processor });

const residentMb = () => process.memoryUsage.rss() / 2 ** 20; // as Lambda counts

const context = {
  functionName: 'bench',
  functionVersion: '1',
  invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench',
  memoryLimitInMB: '512',
  awsRequestId: '5e0c7b1a-2f4d-4e8a-9c63-1d7f0a9b8e43',
  getRemainingTimeInMillis: () => 10_000,
};

const startedAt = clock();
const { handler } = entry.endsWith('.mjs') ? await import(entry) : createRequire(entry)(entry);
// Lambda's runtime asks for its first event a turn later: what the bundle has begun, and needs no answer for, is done then.
await new Promise(setImmediate);
const loadedAt = clock();
const loadedMb = residentMb();
if (group) writeFileSync(`${group}/cgroup.procs`, String(process.pid));
const { statusCode } = (await handler(first, context)) ?? {};
const answeredAt = clock();

/** Microseconds of the processor that a call takes, over a block of them. Throws where an answer has another status. */
async function block(handler, { next, status }, calls) {
  const events = Array.from({ length: calls }, next);
  const from = clock();
  for (const event of events) {
    const answer = await handler(event, context);
    if (!status.includes(answer.statusCode)) throw new Error(`${answer.statusCode}: ${answer.body}`);
  }
  return (between(from, clock()).processor * 1000) / calls;
}

const handlers = [handler, ...others.map((other) => createRequire(other)(other).handler)];

/** The same of each handler and each block. They take turns, so that what else the machine does slows down all of them. */
async function loop({ events, status, warmUp, blocks, calls }) {
  const texts = events.map((event) => JSON.stringify(event));
  let count = 0;
  const next = () => JSON.parse(texts[count++ % texts.length]); // a handler may change its event
  const request = { next, status };
  if (warmUp > 0) for (const one of handlers) await block(one, request, warmUp);
  const microseconds = handlers.map(() => []);
  for (let i = 0; i < blocks; i++) {
    for (let turn = 0; turn < handlers.length; turn++) {
      const which = (i + turn) % handlers.length; // none is always the one after another
      microseconds[which].push(await block(handlers[which], request, calls));
    }
  }
  return microseconds;
}

const looped = [];
for (const one of loops) looped.push(await loop(one));

writeSync(
  3,
  JSON.stringify({
    statusCode,
    load: between(startedAt, loadedAt),
    answer: between(loadedAt, answeredAt),
    cold: between(startedAt, answeredAt),
    loadedMb,
    residentMb: residentMb(),
    looped,
  }),
);
process.exit(); // connections that are kept alive would hold it
