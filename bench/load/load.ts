import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { type Host, startHost } from '../../infra/local/host.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { run } from '../../infra/terminal/user-error.ts';
import { describeMachine } from '../corpus.ts';
import { writeResult } from '../result.ts';
import { summarizeMemory, watchMemory } from './memory.ts';
import { buildRequests, createFixtures, type World } from './mix.ts';

/** Result of a phase of the load. Latencies are in milliseconds. */
interface Phase {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  p999: number;
  /** Number of responses by status. */
  statuses: Record<string, number>;
  /** Number of broken connections and of requests without a response. */
  broken: number;
  /** Number of responses with 429 but no Retry-After. */
  withoutRetryAfter: number;
}

interface Load {
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Parallel requests. */
  connections: number;
}

/** Sends requests at a fixed rate and measures the responses. */
async function sendLoad(url: string, world: World, { rate, seconds, connections }: Load): Promise<Phase> {
  const statuses: Record<string, number> = {};
  let impolite = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: rate,
    duration: seconds,
    timeout: 20,
    requests: buildRequests(world),
    setupClient(client) {
      // The types lack this event, which precedes 'response'.
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
    withoutRetryAfter: impolite,
  };
}

const listFunctionSpecs = (host: Host) => [...createFunctionRunners(host, () => {}).values()].map(({ spec }) => spec);

const formatRow = (what: string, phase: Phase) =>
  `| ${what} | ${phase.requests} | ${phase.perSecond.toFixed(0)} | ${phase.p50} | ${phase.p99} | ${phase.p999} | ` +
  `${Object.entries(phase.statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')} | ${phase.broken} |`;

const countFailures = ({ statuses, broken }: Phase, ...expected: string[]) =>
  broken + Object.entries(statuses).reduce((sum, [status, count]) => sum + (expected.includes(status) ? 0 : count), 0);

const usage = `Usage: npm run bench:load -- [--seconds 60] [--rate 60] [--json file]
Sends typical load to the local host, or to the API at BASE_URL as the user of TOKEN, then far more than its throttle allows.`;

/**
 * Loads the local host, or a deployment (`BASE_URL`, `TOKEN`), with typical traffic below its throttle, then far above it, then below
 * it again. Exits with 1 if a request failed, if overload did not get 429, or if a function's memory grew by a fifth in ten minutes or
 * more.
 */
run(async () => {
  const { values } = readArguments(usage, {
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
    const world = await createFixtures(url, token);
    await sendLoad(url, world, { ...usual, seconds: 5 }); // warm-up
    const stop = watchMemory();
    const steady = await sendLoad(url, world, usual);
    const processes = host ? stop() : [];
    const overload = await sendLoad(url, world, { rate: 1_000, seconds: 10, connections: 400 });
    await sleep(1_000); // as Retry-After asks
    const after = await sendLoad(url, world, { ...usual, seconds: 5 });

    console.log(`${describeMachine()}, ${rate} requests a second\n`);
    console.log('| Load | Requests | Per second | p50, ms | p99, ms | p99.9, ms | Responses | Broken |');
    console.log('|---|---:|---:|---:|---:|---:|---|---:|');
    console.log(formatRow(`steady, ${seconds} s`, steady));
    console.log(formatRow('overload, 10 s', overload));
    console.log(formatRow('a second later', after));
    const grown = host
      ? summarizeMemory(
          processes,
          new Map(listFunctionSpecs(host).map(({ entry, description }) => [entry, description])),
        )
      : [];
    console.log('\n| Function | Processes | Peak memory, MB | Peak growth |\n|---|---:|---:|---:|');
    for (const { name, count, most, growth } of grown) {
      console.log(`| \`${name}\` | ${count} | ${most.toFixed(0)} | ${(growth * 100).toFixed(1)} % |`);
    }

    const faults = [
      [countFailures(steady, '200'), 'requests failed under a steady load'],
      [countFailures(overload, '200', '429'), 'requests got neither 200 nor 429 under overload'],
      [overload.statuses['429'] ? 0 : 1, 'overloads were not throttled'],
      [overload.withoutRetryAfter, 'responses with 429 had no Retry-After'],
      [countFailures(after, '200'), 'requests failed after the overload'],
      // Code that is compiled in the first minutes is not a leak.
      [seconds < 600 ? 0 : grown.filter(({ growth }) => growth > 0.2).length, 'functions grew by more than a fifth'],
    ].filter(([count]) => count !== 0);
    for (const [count, what] of faults) console.error(`${count} ${what}`);
    writeResult(values.json, {
      what: 'Typical load, then overload, then typical load again',
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
