import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { functionRunners } from '../../infra/local/functions.ts';
import { type Host, startHost } from '../../infra/local/host.ts';
import { run } from '../../infra/problem.ts';
import { machine } from '../corpus.ts';
import { writeResult } from '../result.ts';
import { memoryOf, watchMemory } from './memory.ts';
import { mix, prepare, type World } from './mix.ts';

/** What a phase of the load gave. Milliseconds. */
interface Phase {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  p999: number;
  /** Answers by their status. */
  statuses: Record<string, number>;
  /** Connections that broke, and requests without an answer. */
  broken: number;
  /** Answers of 429 that do not say when to come again. */
  impolite: number;
}

interface Load {
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Requests at once. */
  connections: number;
}

/** Sends requests for some time. */
async function send(url: string, world: World, { rate, seconds, connections }: Load): Promise<Phase> {
  const statuses: Record<string, number> = {};
  let impolite = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: rate,
    duration: seconds,
    timeout: 20,
    requests: mix(world),
    setupClient(client) {
      // Its types do not know this event, which comes before 'response'.
      (client as NodeJS.EventEmitter).on('headers', ({ statusCode, headers }) => {
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
        if (statusCode === 429 && !/retry-after/i.test(JSON.stringify(headers))) impolite += 1;
      });
    },
  });
  const { latency, requests, errors } = result;
  return {
    requests: requests.total,
    perSecond: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    p999: latency.p99_9,
    statuses,
    broken: errors,
    impolite,
  };
}

const specsOf = (host: Host) => [...functionRunners(host, () => {}).values()].map(({ spec }) => spec);

const row = (what: string, phase: Phase) =>
  `| ${what} | ${phase.requests} | ${phase.perSecond.toFixed(0)} | ${phase.p50} | ${phase.p99} | ${phase.p999} | ` +
  `${Object.entries(phase.statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')} | ${phase.broken} |`;

const failed = ({ statuses, broken }: Phase, ...expected: string[]) =>
  broken + Object.entries(statuses).reduce((sum, [status, count]) => sum + (expected.includes(status) ? 0 : count), 0);

/**
 * Loads the local host, or a deployed stack (`BASE_URL`, `TOKEN`), as a day does, below its throttle; then far above it, then below it again. Ends
 * with 1 where a request failed, where a function's memory grew by a fifth in ten minutes or more, or where 429 was not the answer to too much.
 */
run(async () => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      rate: { type: 'string', default: '60' },
      json: { type: 'string' },
    },
  });
  const [seconds, rate] = [Number(values.seconds), Number(values.rate)];
  const usual = { rate, seconds, connections: 20 };
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-load-'));
  const host = process.env.BASE_URL ? undefined : await startHost({ dir, port: 0 });
  const url = process.env.BASE_URL?.replace(/\/$/, '') ?? host?.url ?? '';
  const lifetime = seconds + 600;
  try {
    const token = process.env.TOKEN ?? (await host?.issuer.token({ sub: 'load', ttl: lifetime })) ?? '';
    const world = await prepare(url, token);
    await send(url, world, { ...usual, seconds: 5 }); // functions start
    const stop = watchMemory();
    const steady = await send(url, world, usual);
    const processes = host ? stop() : [];
    const overload = await send(url, world, { rate: 1_000, seconds: 10, connections: 400 });
    await sleep(1_000); // as Retry-After asks
    const after = await send(url, world, { ...usual, seconds: 5 });

    console.log(`${machine()}, ${rate} requests a second\n`);
    console.log('| Load | Requests | A second | p50, ms | p99, ms | p99.9, ms | Answers | Broken |');
    console.log('|---|---:|---:|---:|---:|---:|---|---:|');
    console.log(row(`steady, ${seconds} s`, steady));
    console.log(row('far too much, 10 s', overload));
    console.log(row('a second later', after));
    const grown = host
      ? memoryOf(processes, new Map(specsOf(host).map(({ entry, description }) => [entry, description])))
      : [];
    console.log('\n| Function | Processes | Memory at most, MB | Grew by at most |\n|---|---:|---:|---:|');
    for (const { name, count, most, growth } of grown) {
      console.log(`| \`${name}\` | ${count} | ${most.toFixed(0)} | ${(growth * 100).toFixed(1)} % |`);
    }

    const faults = [
      [failed(steady, '200'), 'requests failed under a steady load'],
      [failed(overload, '200', '429'), 'requests were neither answered nor put off, when there were too many'],
      [overload.statuses['429'] ? 0 : 1, 'overload met no throttle'],
      [overload.impolite, 'answers of 429 without Retry-After'],
      [failed(after, '200'), 'requests failed after the overload'],
      // What is compiled in the first minutes is no leak.
      [seconds < 600 ? 0 : grown.filter(({ growth }) => growth > 0.2).length, 'functions grew by more than a fifth'],
    ].filter(([count]) => count !== 0);
    for (const [count, what] of faults) console.error(`${count} ${what}`);
    writeResult(values.json, {
      what: 'Load as of a day, then far too much, then again as of a day',
      command: `npm run bench:load -- --seconds ${seconds} --rate ${rate}`,
      cases: steady.requests,
      failures: faults.length,
      detail: {
        seconds,
        perSecond: steady.perSecond,
        p50: steady.p50,
        p99: steady.p99,
        p999: steady.p999,
        overload: overload.statuses,
      },
    });
    process.exitCode = faults.length > 0 ? 1 : 0;
  } finally {
    await host?.stop();
    rmSync(dir, { recursive: true });
  }
});
