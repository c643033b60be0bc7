import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildPreview, toLogs } from '../../shared/domain/transcript.ts';
import { Log } from '../../shared/schemas/log.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';
import { getSampleSize } from '../support/sample.ts';

const sessionId = '019aa2c4-0000-7000-8000-000000000000';

describe('a log', () => {
  const key = fc.constantFrom(
    ...['role', 'speaker', 'from', 'content', 'message', 'text', 'value', 'type', 'id', 'name', 'call_id', 'arguments'],
    ...['timestamp', 'created_at', 'time', 'start', 'time_in_call_secs', 'words', 'output', 'is_error', 'interrupted'],
    ...['tool_calls', 'toolCalls', 'tool_results', 'function', 'successful', '__proto__', 'constructor', 'x'],
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 4 }),
    fc.object({ key, maxDepth: 4 }),
    fc.array(fc.object({ key, maxDepth: 2 })),
    fc.constantFrom('agent', 'tool', 'function_call', 'constructor', '2026-11-21T07:00:02Z', 1763708402.113, -1, 1e300),
    fc.double(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  const item = fc.oneof(fc.object(), fc.dictionary(key, value));
  const startedAt = fc.option(
    fc.oneof(
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ),
  );

  test('is valid for any items', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), startedAt, (items, start) => {
        const logs = toLogs(sessionId, items, start);
        expect(logs.map(({ index }) => index)).toEqual(items.map((_, i) => i));
        for (const log of logs) expect(v.safeParse(Log, log).issues).toBeUndefined();
        expect([...(buildPreview(logs) ?? '')].length).toBeLessThanOrEqual(140);
      }),
      { numRuns: getSampleSize(2_000) },
    );
  });

  test('is built in linear time', () => {
    const items = Array.from({ length: 10_000 }, () => ({
      speaker: 'Agent',
      text: 'Hello',
      timestamp: '2026-11-21T07:00:02Z',
    }));
    const before = process.cpuUsage();
    expect(toLogs(sessionId, items, '2026-11-21T07:00:00Z')).toHaveLength(10_000);
    expect(cpuTimeSince(before)).toBeLessThan(1_000); // takes about 50 ms; quadratic work would take far longer
  });
});
