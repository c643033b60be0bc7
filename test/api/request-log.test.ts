import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { createUser, deployed, type Reply } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { parseEmbeddedMetrics } from '../support/metrics.ts';
import { eventually } from '../support/timeouts.ts';

describe.skipIf(deployed)('the log of a request', () => {
  /** Waits for the log lines of a request. */
  const waitForLines = ({ headers }: Reply): Promise<string[]> =>
    eventually(() => {
      const text = readFileSync(join(inject('dataDir'), 'logs', 'functions.log'), 'utf8');
      const lines = text.split('\n').filter((line) => line.includes(String(headers.get('x-request-id'))));
      if (lines.length === 0) throw new Error('not logged yet');
      return lines;
    });

  const always = [
    ...['timestamp', 'level', 'requestId', '_aws', 'environment', 'request_id', 'route', 'version', 'status'],
    ...['duration_ms', 'user', 'cold_start', 'round_trips', 'read_units', 'write_units'],
  ];

  it('is one line with exactly these fields, and holds no user data or secrets', async () => {
    const user = await createUser();
    const canary = `canary-${randomUUID()}`;
    const created = await user.post<{ id: string }>('/assistants', { ...minimal, name: canary });
    const missing = await user.get(`/assistants/${randomUUID()}?note=${canary}`);
    const worker = await createWorker(user, ['read']);
    const read = await worker.get(`/assistants/${created.body.id}`);
    for (const [reply, route, more] of [
      [created, 'assistants/create', []],
      [missing, 'assistants/get', ['error']],
      [read, 'assistants/get', ['api_key']],
    ] as const) {
      const [line = '', ...others] = await waitForLines(reply);
      expect(others).toEqual([]);
      const fields = JSON.parse(line);
      expect(Object.keys(fields).toSorted()).toEqual([...always, ...more].toSorted());
      expect(fields).toMatchObject({ route, environment: 'dev', version: '1', level: 'INFO', status: reply.status });
      expect(line).not.toContain(canary);
      expect(line).not.toContain(user.sub);
      expect(line).not.toMatch(/eyJ|va_dev_/);
    }
  });

  it('contains its metrics in the embedded metric format of CloudWatch', async () => {
    const reply = await (await createUser()).get('/assistants');
    const [line = ''] = await waitForLines(reply);
    const metrics = parseEmbeddedMetrics(JSON.parse(line));
    expect(metrics.map(({ name }) => name)).toEqual(['duration_ms', 'round_trips', 'read_units', 'write_units']);
    for (const { namespace, dimensions, value } of metrics) {
      expect([namespace, dimensions]).toEqual(['VoiceAssistants', { environment: 'dev' }]);
      expect(value).toBeGreaterThanOrEqual(0);
    }
  });
});
