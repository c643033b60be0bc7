import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { previewOf, shownLogs } from '../../shared/domain/transcript.ts';
import { Log } from '../../shared/schemas/log.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';
import { sampleSize } from '../support/sample.ts';

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

  test('is made of any object whatever', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 5 }), startedAt, (items, start) => {
        const logs = shownLogs(sessionId, items, start);
        expect(logs.map(({ index }) => index)).toEqual(items.map((_, i) => i));
        for (const log of logs) expect(v.safeParse(Log, log).issues).toBeUndefined();
        expect([...(previewOf(logs) ?? '')].length).toBeLessThanOrEqual(140);
      }),
      { numRuns: sampleSize(2_000) },
    );
  });

  test('takes the same time in a long transcript as in a short one', () => {
    const items = Array.from({ length: 10_000 }, () => ({
      speaker: 'Agent',
      text: 'Hello',
      timestamp: '2026-11-21T07:00:02Z',
    }));
    const before = process.cpuUsage();
    expect(shownLogs(sessionId, items, '2026-11-21T07:00:00Z')).toHaveLength(10_000);
    expect(cpuTimeSince(before)).toBeLessThan(1_000); // about 50 ms; twenty times that would be quadratic work
  });
});
