import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { deployed, newUser, type Reply } from '../support/api.ts';
import { workerOf } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { embeddedIn } from '../support/metrics.ts';
import { eventually } from '../support/patience.ts';

describe.skipIf(deployed)('the line of a request', () => {
  /** The text of the lines that a function has written about a request. */
  const linesOf = ({ headers }: Reply): Promise<string[]> =>
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

  it('is one, and tells of it what there is to know, and nothing else', async () => {
    const user = await newUser();
    const canary = `canary-${randomUUID()}`;
    const created = await user.post<{ id: string }>('/assistants', { ...minimal, name: canary });
    const missing = await user.get(`/assistants/${randomUUID()}?note=${canary}`);
    const worker = await workerOf(user, ['read']);
    const read = await worker.get(`/assistants/${created.body.id}`);
    for (const [reply, route, more] of [
      [created, 'assistants/create', []],
      [missing, 'assistants/get', ['error']],
      [read, 'assistants/get', ['api_key']],
    ] as const) {
      const [line = '', ...others] = await linesOf(reply);
      expect(others).toEqual([]);
      const fields = JSON.parse(line);
      expect(Object.keys(fields).toSorted()).toEqual([...always, ...more].toSorted());
      expect(fields).toMatchObject({ route, environment: 'dev', version: '1', level: 'INFO', status: reply.status });
      expect(line).not.toContain(canary);
      expect(line).not.toContain(user.sub);
      expect(line).not.toMatch(/eyJ|va_dev_/);
    }
  });

  it('has its metrics where CloudWatch looks for them', async () => {
    const reply = await (await newUser()).get('/assistants');
    const [line = ''] = await linesOf(reply);
    const metrics = embeddedIn(JSON.parse(line));
    expect(metrics.map(({ name }) => name)).toEqual(['duration_ms', 'round_trips', 'read_units', 'write_units']);
    for (const { namespace, dimensions, value } of metrics) {
      expect([namespace, dimensions]).toEqual(['VoiceAssistants', { environment: 'dev' }]);
      expect(value).toBeGreaterThanOrEqual(0);
    }
  });
});
