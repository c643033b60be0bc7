import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { getAlarms, isTriggered } from '../support/alarms.ts';
import { deployed, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { startFaultyHost } from '../support/faulty-host.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type Datum, parseEmbeddedMetrics, toGatewayMetrics } from '../support/metrics.ts';
import { eventually } from '../support/timeouts.ts';

const service = 'voice-assistants-dev';
const route = 'logs/create';

/** Alarms of `dev` with alarms enabled. Their dimensions match the metrics of the local host, which runs `dev`. */
const alarms = getAlarms('dev', { ...getSettings('dev'), alarms: {}, releases: 'canary' });

/** Converts a function's log line to Lambda's Duration metric. The logged duration is a lower bound of it. */
const toDuration = ({ duration_ms: value }: { duration_ms: number }): Datum => ({
  namespace: 'AWS/Lambda',
  name: 'Duration',
  dimensions: {},
  value,
});

describe.skipIf(deployed)('an alarm', async () => {
  if (deployed) return;
  const { proxy, dir, user, stop } = await startFaultyHost();
  afterAll(stop);

  /** Waits for the log lines of some requests and returns them. */
  const readLines = (log: 'functions' | 'access', replies: Reply[]) =>
    eventually(() => {
      const ids = new Set(replies.map(({ headers }) => headers.get('x-request-id')));
      const lines = readFileSync(join(dir, 'logs', `${log}.log`), 'utf8')
        .split('\n')
        .filter(Boolean);
      const found = lines.map((line) => JSON.parse(line)).filter((line) => ids.has(line.request_id));
      if (found.length < replies.length) throw new Error('not logged yet');
      return found;
    });

  /** Saves calls while `decide` injects faults into the database. Returns the names of the alarms that go off. */
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
    const lines = await readLines('functions', replies);
    const accesses = await readLines('access', replies);
    const metrics = [
      ...lines.flatMap(parseEmbeddedMetrics),
      ...accesses.flatMap((line) => toGatewayMetrics(service, line)),
    ];
    return [...alarms].flatMap(([name, alarm]) => {
      const isDuration = alarm.MetricName === 'Duration' && name.startsWith(route.replace('/', '-'));
      const goesOff = isDuration
        ? isTriggered({ ...alarm, Dimensions: [] }, lines.map(toDuration))
        : isTriggered(alarm, metrics);
      return goesOff ? [name] : [];
    });
  }

  /** Drops the alarms that a busy machine may trigger. */
  const dropLatency = (names: string[]) => names.filter((name) => !name.endsWith('latency'));

  it('stays quiet without faults', async () => {
    expect(dropLatency(await provoke(() => 'pass', 2))).toEqual([]);
  });

  it('detects a slow function and stops its release', async () => {
    const slow: Fault = { answerAfter: () => sleep(1_600) };
    expect(await provoke(() => slow, 8)).toEqual(['logs-create-release-latency', 'latency']);
  });

  it('detects a failing database and stops the release of functions that depend on it', async () => {
    const triggered = dropLatency(await provoke(() => 'fail', 8));
    expect(triggered).toEqual(['logs-create-release-faults', 'server-errors', 'dependencies']);
  });
});
