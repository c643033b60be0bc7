// Loads a bundle in a fresh process, sends it requests, and writes its measurements to file descriptor 3. Plain JavaScript with few
// imports, because modules that are loaded here would not count as part of the bundle.
import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Input: the bundle, its first request, and `loops` of repeated requests in turns with `others`. From the first request on, the process
 * runs in the control group `group`, if any.
 */
const { entry, first, loops, others, group } = JSON.parse(readFileSync(0, 'utf8'));

/** Returns wall time and CPU time in milliseconds. */
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
// Lambda's runtime requests its first event one turn later. By then, work that the bundle started without I/O is done.
await new Promise(setImmediate);
const loadedAt = clock();
const loadedMb = residentMb();
if (group) writeFileSync(`${group}/cgroup.procs`, String(process.pid));
const { statusCode } = (await handler(first, context)) ?? {};
const answeredAt = clock();

/** Returns the CPU microseconds per call in a block of calls. Throws on an unexpected status. */
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

/** Measures all handlers block by block. They take turns, so that other load on the machine slows down all of them. */
async function loop({ events, status, warmUp, blocks, calls }) {
  const texts = events.map((event) => JSON.stringify(event));
  let count = 0;
  const next = () => JSON.parse(texts[count++ % texts.length]); // a handler may change its event
  const request = { next, status };
  if (warmUp > 0) for (const one of handlers) await block(one, request, warmUp);
  const microseconds = handlers.map(() => []);
  for (let i = 0; i < blocks; i++) {
    for (let turn = 0; turn < handlers.length; turn++) {
      const which = (i + turn) % handlers.length; // rotates, so that no handler always follows the same one
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
process.exit(); // kept-alive connections would keep the process running
