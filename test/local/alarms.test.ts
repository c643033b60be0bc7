import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { settingsOf } from '../../infra/config.ts';
import { alarmsOf, goesOff } from '../support/alarms.ts';
import { deployed, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { faultyHost } from '../support/faulty-host.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type Datum, embeddedIn, gatewayMetricsOf } from '../support/metrics.ts';
import { eventually } from '../support/patience.ts';

const service = 'voice-assistants-dev';
const route = 'logs/create';

/** The alarms of a `dev` that has them, and so of the host here by their names. */
const alarms = alarmsOf('dev', { ...settingsOf('dev'), alarms: {}, releases: 'canary' });

/** What a function's own line tells of the metric that Lambda keeps of its alias: no more than all of its time. */
const durationOf = ({ duration_ms: value }: { duration_ms: number }): Datum => ({
  namespace: 'AWS/Lambda',
  name: 'Duration',
  dimensions: {},
  value,
});

describe.skipIf(deployed)('an alarm', async () => {
  if (deployed) return;
  const { proxy, dir, user, stop } = await faultyHost();
  afterAll(stop);

  /** The lines of a log about some requests. */
  const linesOf = (log: 'functions' | 'access', replies: Reply[]) =>
    eventually(() => {
      const ids = new Set(replies.map(({ headers }) => headers.get('x-request-id')));
      const lines = readFileSync(join(dir, 'logs', `${log}.log`), 'utf8')
        .split('\n')
        .filter(Boolean);
      const found = lines.map((line) => JSON.parse(line)).filter((line) => ids.has(line.request_id));
      if (found.length < replies.length) throw new Error('not logged yet');
      return found;
    });

  /** Saves calls, whatever befalls the requests to the database. Gives the names of the alarms that would go off. */
  async function provoke(decide: () => Fault, count: number): Promise<string[]> {
    const { body } = await user.post<{ id: string }>('/assistants', minimal);
    proxy.decide = decide;
    const calls = Array.from({ length: count }, () => ({
      assistant_id: body.id,
      room_name: randomUUID(),
      transcript: [{ role: 'user', content: 'Hello?' }],
    }));
    const replies = await Promise.all(calls.map((call) => user.post('/logs/call-logs', call)));
    proxy.decide = () => 'pass';
    const lines = await linesOf('functions', replies);
    const accesses = await linesOf('access', replies);
    const metrics = [...lines.flatMap(embeddedIn), ...accesses.flatMap((line) => gatewayMetricsOf(service, line))];
    return [...alarms].flatMap(([name, alarm]) => {
      const isDuration = alarm.MetricName === 'Duration' && name.startsWith(route.replace('/', '-'));
      const heard = isDuration ? goesOff({ ...alarm, Dimensions: [] }, lines.map(durationOf)) : goesOff(alarm, metrics);
      return heard ? [name] : [];
    });
  }

  it('is silent while all is well', async () => {
    expect(await provoke(() => 'pass', 2)).toEqual([]);
  });

  it('hears a function that was slowed, and holds its release', async () => {
    const slow: Fault = { answerAfter: () => sleep(1_600) };
    expect(await provoke(() => slow, 8)).toEqual(['logs-create-release-latency', 'latency']);
  });

  it('hears a database that fails, and holds the release of what depends on it', async () => {
    expect(await provoke(() => 'fail', 8)).toEqual(['logs-create-release-faults', 'server-errors', 'dependencies']);
  });
});
