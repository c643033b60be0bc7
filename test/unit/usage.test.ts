import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLogs } from '../../shared/domain/transcript.ts';
import {
  addCounters,
  type Counters,
  countCall,
  countTurns,
  countUsage,
  findMedianLatency,
  foldChosenNames,
  latencyBounds,
  listIgnoredUsage,
  subtractCounters,
} from '../../shared/domain/usage.ts';
import {
  type DayUsage,
  estimatePercentiles,
  groupUsage,
  limitRows,
  parsePeriod,
  sumUsage,
  toAnalytics,
  toNumbers,
  toStats,
} from '../../shared/domain/usage-report.ts';
import { Invalid } from '../../shared/errors.ts';

const prices = {
  currency: 'EUR',
  updated_at: null,
  entries: {
    'llm:openai/gpt-4.1-mini': { input: 0.4, cached_input: 0.1, output: 1.6 },
    'tts:cartesia/*': { per_million_characters: 30 },
    'stt:deepgram/nova-3': { per_minute: 0.0077 },
    call: { per_minute: 0.01 },
  },
};
const llm = { type: 'llm_usage', provider: 'openai', model: 'gpt-4.1-mini' };

describe('the usage of a call', () => {
  it('counts messages, interruptions, function calls and turns by latency', () => {
    const items = [
      { type: 'message', role: 'user', content: ['Hello?'] },
      {
        type: 'message',
        role: 'assistant',
        content: ['Hi'],
        interrupted: true,
        metrics: { e2e_latency: 0.7, llm_node_ttft: 0.25 },
      },
      { type: 'function_call', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: 'no', is_error: true },
      { type: 'message', role: 'assistant', content: ['Sorry'], metrics: { e2e_latency: 9, llm_node_ttft: 'soon' } },
    ];
    const logs = toLogs('01a1fce7-9d80-7c4e-9b2f-5d8a3e6f1c07', items, null);
    expect(countTurns(logs, items)).toEqual({
      messages: 3,
      user_messages: 1,
      interruptions: 1,
      tool_calls: 1,
      tool_errors: 1,
      e2e_5: 1,
      e2e_15: 1,
      ttft_1: 1,
    });
    expect(findMedianLatency(items)).toBe(9_000);
    expect(findMedianLatency([])).toBeNull();
  });

  it('is priced by model, then by vendor, with cached tokens at their own price', () => {
    const usage = [
      { ...llm, input_tokens: 1_000, input_cached_tokens: 400, output_tokens: 200 },
      { type: 'tts_usage', provider: 'cartesia', model: 'sonic-3', characters_count: 500 },
      { type: 'stt_usage', provider: 'deepgram', model: 'nova-3', audio_duration: 90.5 },
      { type: 'vad_usage', provider: 'silero', model: 'vad', audio_duration: 1 },
    ];
    const counters = countUsage({ usage, session_duration: 120 }, prices);
    expect(counters).toEqual({
      'llm|openai/gpt-4.1-mini|input': 1_000,
      'llm|openai/gpt-4.1-mini|cached': 400,
      'llm|openai/gpt-4.1-mini|output': 200,
      'llm|openai/gpt-4.1-mini|cost_micros': 600,
      'tts|cartesia/sonic-3|characters': 500,
      'tts|cartesia/sonic-3|cost_micros': 15_000,
      'stt|deepgram/nova-3|ms': 90_500,
      'stt|deepgram/nova-3|cost_micros': 11_614,
      llm_input: 1_000,
      llm_cached: 400,
      llm_output: 200,
      tts_characters: 500,
      stt_ms: 90_500,
      cost_micros: 600 + 15_000 + 11_614 + 20_000,
      priced_calls: 1,
    });
  });

  it('costs what the worker says, and nothing is known without prices', () => {
    expect(countUsage({ usage: [{ ...llm, input_tokens: 5 }], cost: 0.25 }, prices).cost_micros).toBe(250_000);
    const none = { ...prices, entries: {} };
    expect(countUsage({ usage: [{ ...llm, input_tokens: 5 }] }, none)).not.toHaveProperty('cost_micros');
    expect(countUsage({}, none)).toEqual({});
  });

  it('keeps values that are no numbers out of the sums', () => {
    const usage = [{ ...llm, input_tokens: 'many', output_tokens: -1, input_cached_tokens: Number.NaN }];
    expect(countUsage({ usage }, prices).llm_input).toBe(0);
  });

  it('is counted entry by entry, so that a bad one costs no other', () => {
    const good = { ...llm, input_tokens: 5 };
    const { llm_input } = countUsage({ usage: [good, null, 7, { ...llm, type: 'new' }, good] }, prices);
    expect(llm_input).toBe(10);
    expect(listIgnoredUsage({ usage: [good, null, 7, { ...llm, type: 'new' }, good] })).toEqual([
      'usage.1',
      'usage.2',
      'usage.3',
    ]);
  });

  it('has at most as many cached tokens as tokens', () => {
    const usage = [{ ...llm, input_tokens: 100, input_cached_tokens: 500 }];
    expect(countUsage({ usage }, prices)).toMatchObject({ llm_input: 100, llm_cached: 100 });
    expect(listIgnoredUsage({ usage })).toEqual(['usage.0.input_cached_tokens']);
    const camel = [{ ...llm, inputTokens: 100, inputCachedTokens: 500 }];
    expect(listIgnoredUsage({ usage: camel })).toEqual(['usage.0.inputCachedTokens']);
  });

  it('names what makes no sense', () => {
    const usage = [
      { type: 'llm_usage', input_tokens: 3 },
      { ...llm, provider: 7, model: ' ' },
      { ...llm, input_tokens: '3', output_tokens: 1e15 },
      { ...llm, provider: 'unknown', input_tokens: null },
    ];
    expect(listIgnoredUsage({ usage })).toEqual([
      ...['usage.0.provider', 'usage.0.model', 'usage.1.provider', 'usage.1.model'],
      ...['usage.2.input_tokens', 'usage.2.output_tokens'],
    ]);
  });

  it('has no latencies below 0 or above ten minutes', () => {
    const items = [-3, 601, 99_999, 'fast', null].map((e2e_latency) => ({ metrics: { e2e_latency } }));
    expect(findMedianLatency(items)).toBeNull();
    expect(countTurns([], items)).not.toHaveProperty('e2e_15');
    expect(findMedianLatency([...items, { metrics: { e2e_latency: 600 } }])).toBe(600_000);
  });

  it('keeps the names of vendors, whatever they contain', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(null, undefined, '__proto__', 'a|b', 'a/b', ':'),
    );
    const property = fc.property(name, name, (provider, model) => {
      const counters = countUsage({ usage: [{ type: 'llm_usage', provider, model, input_tokens: 7 }] }, prices);
      const { models } = toStats({ from: '', to: '' }, 'EUR', counters);
      expect(models.map(({ input_tokens }) => input_tokens)).toEqual([7]);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('lists the thousand models that cost most', () => {
    const counters = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, i) => [`llm|p/m${i}|cost_micros`, (i * 7) % 1_500]).filter(([, cost]) => cost),
    );
    const { models } = toStats({ from: '', to: '' }, 'EUR', counters);
    const costs = Array.from({ length: 1_000 }, (_, i) => (1_499 - i) / 1e6);
    expect(models.map(({ cost }) => cost)).toEqual(costs);
  });

  it('lists the thousand end reasons that are most frequent', () => {
    const counters = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`ended|r${i}`, (i * 7) % 1_500]));
    const { ended } = toStats({ from: '', to: '' }, 'EUR', counters);
    expect(Object.values(ended)).toEqual(Array.from({ length: 1_000 }, (_, i) => 1_499 - i));
  });

  it('is the difference to the version that a longer one replaces, also when names are folded', () => {
    const counters = fc.dictionary(
      fc.constantFrom(
        'calls',
        'messages',
        'ended|hangup',
        'ended|other',
        'llm|openai/gpt|input',
        'llm|other/other|input',
      ),
      fc.integer({ min: 0, max: 100 }),
    );
    const property = fc.property(counters, counters, fc.boolean(), (before: Counters, after: Counters, isFull) => {
      const counted = isFull ? foldChosenNames(after, new Set(['ended|hangup'])) : after;
      const total = { ...before };
      addCounters(total, subtractCounters(counted, before));
      const nonZero = (all: Counters) =>
        Object.entries(all)
          .filter(([, value]) => value !== 0)
          .sort();
      expect(nonZero(total)).toEqual(nonZero(counted));
    });
    fc.assert(property);
  });

  it('has one name for spellings of an end reason', () => {
    const slugs = ['Customer hung up!', ' customer-hung-up', 'CUSTOMER_HUNG_UP_'].map((end_reason) =>
      Object.keys(countCall({ session_duration: null, end_reason })).find((name) => name.startsWith('ended|')),
    );
    expect(slugs).toEqual(Array(3).fill('ended|customer_hung_up'));
  });
});

describe('the rows of a report', () => {
  /** Reads rows until the report refuses them. */
  async function countRows(
    row: Record<string, unknown>,
    available: number,
    read = { bytes: 0, chosen: new Set<unknown>() },
  ): Promise<number> {
    async function* repeat() {
      for (let i = 0; i < available; i++) yield row;
    }
    let count = 0;
    for await (const _ of limitRows(repeat(), read)) count += 1;
    return count;
  }

  const names = Array.from({ length: 1_000 }, (_, i) => `${i}`);
  const toRow = (fill: string) => Object.fromEntries(names.map((name) => [name.padEnd(477, fill), 1]));
  it.each([
    ['letters', toRow('a'), 59],
    ['letters of three bytes', toRow('字'), 20],
    ['characters that JSON escapes', toRow('\u0001'), 10],
    ['names of models', { chosen: new Set(names.map((name) => name.padEnd(497, 'a'))) }, 59],
  ])('are refused above 30 MB of %s, however few they are', async (_, row, count) => {
    expect(await countRows(row, count)).toBe(count);
    await expect(countRows(row, count + 1)).rejects.toMatchObject({ detail: [{ type: 'period_too_long' }] });
  });

  it('are refused above 20,000 different models and end reasons', async () => {
    const read = { bytes: 0, chosen: new Set<unknown>() };
    for (let i = 0; i < 20; i++) await countRows({ chosen: new Set(names.map((name) => `${i} ${name}`)) }, 2, read);
    await expect(countRows({ chosen: new Set(['another']) }, 1, read)).rejects.toMatchObject({
      detail: [{ type: 'period_too_long' }],
    });
  });

  it('are refused above 30 MB of all parts of a period', async () => {
    const read = { bytes: 0, chosen: new Set<unknown>() };
    const parts = [1, 2].map(() => countRows(toRow('a'), 30, read));
    await expect(Promise.all(parts)).rejects.toMatchObject({ detail: [{ type: 'period_too_long' }] });
  });
});

describe('percentiles of latency', () => {
  it('are within the bucket of the true percentile', () => {
    const latencies = fc.array(fc.integer({ min: 0, max: 9_999 }), { minLength: 1, maxLength: 200 });
    const property = fc.property(latencies, (all) => {
      const items = all.map((ms) => ({ metrics: { e2e_latency: ms / 1000 } }));
      const sorted = all.toSorted((one, other) => one - other);
      const found = estimatePercentiles(countTurns([], items), 'e2e');
      const bounds = [0, ...latencyBounds, 10_000];
      for (const [name, share] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const) {
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
        const bucket = bounds.findIndex((bound) => exact < bound);
        const [low = 0, high = 0] = [bounds[bucket - 1], bounds[bucket]];
        expect(found?.[name]).toBeGreaterThanOrEqual(low);
        expect(found?.[name]).toBeLessThanOrEqual(high);
      }
    });
    fc.assert(property);
    expect(estimatePercentiles({}, 'e2e')).toBeNull();
  });
});

async function* stream(days: readonly DayUsage[]) {
  yield* days;
}

describe('a report', () => {
  const usage = (day: string, assistant_id: string, version: number, calls: number): DayUsage => ({
    day,
    assistant_id,
    version,
    counters: {
      calls,
      timed_calls: calls,
      duration_ms: calls * 60_000,
      'ended|hangup': calls,
      'llm|a/b/c|input': calls,
    },
  });
  const period = { from: '2026-10-01', to: '2026-11-30' };
  const days = [usage('2026-10-31', 'one', 0, 1), usage('2026-11-01', 'one', 1, 2), usage('2026-11-02', 'two', 1, 4)];
  const list = async (
    group_by: 'day' | 'assistant' | 'version' | 'model' | 'end_reason',
    interval: 'day' | 'week' | 'month',
  ) =>
    toAnalytics(period, 'EUR', await groupUsage(stream(days), { group_by, interval })).series.map(
      ({ key, interval, calls, tokens }) => [key, interval, calls, tokens.input],
    );

  it('groups by interval and key', async () => {
    expect(await list('day', 'month')).toEqual([
      [null, '2026-10-01', 1, 0],
      [null, '2026-11-01', 6, 0],
    ]);
    expect(await list('day', 'week')).toEqual([
      [null, '2026-10-26', 3, 0],
      [null, '2026-11-02', 4, 0],
    ]);
    expect(await list('version', 'month')).toEqual([
      ['one/0', '2026-10-01', 1, 0],
      ['one/1', '2026-11-01', 2, 0],
      ['two/1', '2026-11-01', 4, 0],
    ]);
    expect((await list('assistant', 'day')).map(([key]) => key)).toEqual(['one', 'one', 'two']);
    expect(await list('end_reason', 'month')).toEqual([
      ['hangup', '2026-10-01', 1, 0],
      ['hangup', '2026-11-01', 6, 0],
    ]);
    expect(await list('model', 'month')).toEqual([
      ['llm:a/b/c', '2026-10-01', 0, 1],
      ['llm:a/b/c', '2026-11-01', 0, 6],
    ]);
  });

  it('sums up a period', async () => {
    const stats = toStats(period, 'EUR', await sumUsage([stream(days)]));
    expect([stats.calls, stats.minutes, stats.average_seconds, stats.cost]).toEqual([7, 7, 60, null]);
    expect(stats.ended).toEqual({ hangup: 7 });
    expect(stats.models).toMatchObject([{ kind: 'llm', provider: 'a', model: 'b/c', input_tokens: 7, cost: null }]);
    expect(toNumbers({}).average_seconds).toBeNull();
  });

  it('refuses more than 5,000 entries', async () => {
    const many = Array.from({ length: 5_001 }, (_, n) => usage('2026-11-01', `assistant ${n}`, 0, 1));
    await expect(groupUsage(stream(many), { group_by: 'assistant', interval: 'day' })).rejects.toThrow(Invalid);
  });

  it('refuses more than 5 MB of long names', () => {
    const build = (name: string) =>
      toAnalytics(
        period,
        'EUR',
        Array.from({ length: 5_000 }, (_, i) => ({ key: `${i}`, name, interval: '', counters: {} })),
      );
    expect(() => build('\u0001'.repeat(200))).toThrow(Invalid);
    expect(build('A').series).toHaveLength(5_000);
  });
});

describe('a period', () => {
  const now = Date.parse('2026-11-23T01:00Z');

  it('is the last 30 days by default, or those before its end', () => {
    expect(parsePeriod({}, false, now)).toEqual({ from: '2026-10-25', to: '2026-11-23' });
    expect(parsePeriod({ to: '2026-03-01' }, false, now)).toEqual({ from: '2026-01-31', to: '2026-03-01' });
  });

  it('has at most 366 days, or 92 by assistant', () => {
    expect(parsePeriod({ from: '2025-11-23' }, false, now).from).toBe('2025-11-23');
    expect(() => parsePeriod({ from: '2025-11-22' }, false, now)).toThrow(Invalid);
    expect(parsePeriod({ from: '2026-08-24' }, true, now).from).toBe('2026-08-24');
    expect(() => parsePeriod({ from: '2026-08-23' }, true, now)).toThrow(Invalid);
  });
});
