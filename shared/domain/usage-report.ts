import { Invalid } from '../errors.ts';
import type { Analytics, Grouping, Interval, ModelUsage, Stats, UsageNumbers } from '../schemas/usage.ts';
import { takeFitting } from './page.ts';
import { addCounters, type Counters, type Latency, latencyBounds, type ModelKind } from './usage.ts';

/** Counters of a day, for all calls or for one version of an assistant. */
export interface DayUsage {
  /** Day in UTC: 2026-11-21. */
  day: string;
  assistant_id?: string;
  /** Name of the assistant as of its newest call of the day. */
  assistant_name?: string;
  version?: number;
  counters: Counters;
}

/** Period in whole days, in UTC. */
export interface Period {
  from: string;
  to: string;
}

const dayMs = 86_400_000;
const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (day: string) => Date.parse(`${day}T00:00Z`);

/** Number of days of a period without a start, the last included. */
const defaultDays = 30;

/** Maximum number of days of a period: of all calls, and by assistant, which reads more rows. */
const maxDays = 366;
const maxAssistantDays = 92;

/** Returns the period of a query. It is empty if it ends before it starts. Throws Invalid if it is too long. */
export function parsePeriod(
  query: { from?: string | undefined; to?: string | undefined },
  isByAssistant: boolean,
  now: number,
): Period {
  const to = query.to ?? toDay(now);
  const from = query.from ?? toDay(toMs(to) - (defaultDays - 1) * dayMs);
  const days = (toMs(to) - toMs(from)) / dayMs + 1;
  const max = isByAssistant ? maxAssistantDays : maxDays;
  const loc = ['query', query.from === undefined ? 'to' : 'from'];
  if (days > max) {
    const what = isByAssistant ? 'A period by assistant, version or of one assistant' : 'A period';
    throw new Invalid([{ loc, msg: `${what} should have at most ${max} days`, type: 'period_too_long' }]);
  }
  return { from, to };
}

/** Number of days that one query reads. A quarter of a busy user is less than a megabyte. */
const queryDays = 92;

/** Splits a period into parts of up to 92 days, the most that one query reads. */
export function splitPeriod({ from, to }: Period): Period[] {
  const days = (toMs(to) - toMs(from)) / dayMs + 1;
  const toPart = (_: unknown, i: number): Period => {
    const start = toMs(from) + i * queryDays * dayMs;
    return { from: toDay(start), to: toDay(Math.min(toMs(to), start + (queryDays - 1) * dayMs)) };
  };
  return Array.from({ length: Math.max(0, Math.ceil(days / queryDays)) }, toPart);
}

/** A stored row of counters. `chosen` is the set of models and end reasons that it has. */
type UsageRow = { chosen?: unknown; [name: string]: unknown };

/** Maximum size of the usage that a report reads, in bytes of JSON. They are about 10,000 ordinary rows. */
const maxReadBytes = 30_000_000;

/** Maximum number of different models and end reasons that a report reads. */
const maxReadNames = 20_000;

/** Sum of what the concurrent parts of a report have read: bytes, and different models and end reasons. */
export interface ReadTotal {
  bytes: number;
  chosen: Set<unknown>;
}

/** Adds a row: its names, which clients choose, and twenty bytes for each number. */
function addRow(read: ReadTotal, row: UsageRow): void {
  const names = Object.keys(row);
  const chosen = row.chosen instanceof Set ? [...row.chosen] : [];
  read.bytes += Buffer.byteLength(JSON.stringify([names, chosen])) + names.length * 20;
  for (const name of chosen) read.chosen.add(name);
}

/** Yields the rows of a part of a report, and adds them to `read`. Throws Invalid once that exceeds 30 MB or 20,000 names. */
export async function* limitRows(rows: AsyncIterable<UsageRow>, read: ReadTotal): AsyncGenerator<UsageRow> {
  for await (const row of rows) {
    addRow(read, row);
    if (read.bytes > maxReadBytes || read.chosen.size > maxReadNames) {
      const msg = 'There is too much usage in this period: choose a shorter one';
      throw new Invalid([{ loc: ['query', 'from'], msg, type: 'period_too_long' }]);
    }
    yield row;
  }
}

const round = (value: number, digits: number) => Number(value.toFixed(digits));

/** Highest latency that percentiles report, in milliseconds. */
const maxLatencyMs = 10_000;

/**
 * Estimates percentiles from the counts of turns by latency, in milliseconds. Interpolates within a bucket. Null without turns.
 */
export function estimatePercentiles(counters: Counters, latency: Latency): UsageNumbers['latency']['e2e'] {
  const counts = [...latencyBounds, maxLatencyMs].map((_, bucket) => counters[`${latency}_${bucket}`] ?? 0);
  const turns = counts.reduce((sum, count) => sum + count, 0);
  if (turns <= 0) return null;
  const estimate = (share: number) => {
    let rest = share * turns;
    for (const [bucket, count] of counts.entries()) {
      if (rest <= count && count > 0) {
        const low = latencyBounds[bucket - 1] ?? 0;
        const high = latencyBounds[bucket] ?? maxLatencyMs;
        return Math.round(low + (rest / count) * (high - low));
      }
      rest -= count;
    }
    return maxLatencyMs;
  };
  return { turns, p50: estimate(0.5), p90: estimate(0.9), p95: estimate(0.95), p99: estimate(0.99) };
}

const toCost = (micros: number) => round(micros / 1e6, 6);

/** Converts counters to the numbers of an answer. */
export function toNumbers(counters: Counters): UsageNumbers {
  const get = (name: string) => counters[name] ?? 0;
  return {
    calls: get('calls'),
    minutes: round(get('duration_ms') / 60_000, 3),
    average_seconds: get('timed_calls') > 0 ? round(get('duration_ms') / 1000 / get('timed_calls'), 3) : null,
    messages: get('messages'),
    user_messages: get('user_messages'),
    interruptions: get('interruptions'),
    tool_calls: get('tool_calls'),
    tool_errors: get('tool_errors'),
    latency: {
      method: 'histogram',
      e2e: estimatePercentiles(counters, 'e2e'),
      ttft: estimatePercentiles(counters, 'ttft'),
    },
    tokens: { input: get('llm_input'), cached_input: get('llm_cached'), output: get('llm_output') },
    characters: get('tts_characters'),
    transcribed_minutes: round(get('stt_ms') / 60_000, 3),
    cost: get('priced_calls') > 0 ? toCost(get('cost_micros')) : null,
  };
}

/** Groups the counters of models by kind and model, and names their amounts like the sums over all models. */
function groupByModel(counters: Counters): Map<string, Counters> {
  const names: Record<string, string> = {
    input: 'llm_input',
    cached: 'llm_cached',
    output: 'llm_output',
    characters: 'tts_characters',
    ms: 'stt_ms',
    cost_micros: 'cost_micros',
  };
  const models = new Map<string, Counters>();
  for (const [name, value] of Object.entries(counters)) {
    const [kind, model, amount] = name.split('|');
    if (amount === undefined) continue;
    // A longer version of a call may have taken back what a shorter one said.
    if (value === 0) continue;
    const key = `${kind}|${model}`;
    const sums = models.get(key) ?? {};
    models.set(key, sums);
    sums[names[amount] ?? amount] = value;
    if (amount === 'cost_micros') sums.priced_calls = 1;
  }
  return models;
}

/** Maximum number of models, and of end reasons, of an answer. A model takes up to a kilobyte. */
const maxNames = 1_000;

/** Converts the sums of a model, by its kind, provider and name. */
function toModelUsage(key: string, sums: Counters): ModelUsage {
  const [kind = '', name = ''] = key.split('|');
  const slash = name.indexOf('/');
  const { tokens, characters, transcribed_minutes, cost } = toNumbers(sums);
  return {
    kind: kind as ModelKind,
    provider: name.slice(0, slash),
    model: name.slice(slash + 1),
    input_tokens: tokens.input,
    cached_input_tokens: tokens.cached_input,
    output_tokens: tokens.output,
    characters,
    minutes: transcribed_minutes,
    cost,
  };
}

/** Lists the models, those that cost most first. */
function listModels(counters: Counters): ModelUsage[] {
  const getName = (key: string) => key.slice(key.indexOf('/'));
  const byCost = ([key, one]: [string, Counters], [otherKey, other]: [string, Counters]) =>
    (other.cost_micros ?? 0) - (one.cost_micros ?? 0) || (getName(key) < getName(otherKey) ? -1 : 1);
  return [...groupByModel(counters)]
    .sort(byCost)
    .slice(0, maxNames)
    .map(([key, sums]) => toModelUsage(key, sums));
}

/** Returns the number of calls by end reason, the most frequent ones first. */
const listEnds = (counters: Counters): Record<string, number> =>
  Object.fromEntries(
    Object.entries(counters)
      .filter(([name, count]) => name.startsWith('ended|') && count > 0)
      .sort(([name, one], [otherName, other]) => other - one || (name < otherName ? -1 : 1))
      .slice(0, maxNames)
      .map(([name, count]) => [name.slice('ended|'.length), count]),
  );

/** Sums up usage that is read in concurrent parts. */
export async function sumUsage(parts: AsyncIterable<DayUsage>[]): Promise<Counters> {
  const sum: Counters = {};
  const addPart = async (usages: AsyncIterable<DayUsage>) => {
    for await (const { counters } of usages) addCounters(sum, counters);
  };
  await Promise.all(parts.map(addPart));
  return sum;
}

/** Builds the statistics of a period from its sum. */
export const toStats = (period: Period, currency: string, sum: Counters): Stats => ({
  ...period,
  timezone: 'UTC',
  currency,
  ...toNumbers(sum),
  ended: listEnds(sum),
  models: listModels(sum),
});

/** Returns the first day of the interval of a day. Weeks start on Monday. */
function toInterval(day: string, interval: Interval): string {
  if (interval === 'day') return day;
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  const ms = toMs(day);
  return toDay(ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs);
}

/** Splits the usage of a day into the groups that it counts for. */
function splitByGroup(
  { assistant_id = '', version = 0, counters }: DayUsage,
  grouping: Grouping,
): [string, Counters][] {
  if (grouping === 'assistant') return [[assistant_id, counters]];
  if (grouping === 'version') return [[`${assistant_id}/${version}`, counters]];
  if (grouping === 'model') return [...groupByModel(counters)].map(([name, sums]) => [name.replace('|', ':'), sums]);
  if (grouping === 'end_reason')
    return Object.entries(listEnds(counters)).map(([reason, calls]) => [reason, { calls }]);
  return [['', counters]];
}

/** Maximum number of entries of an answer, which has half a kilobyte or more for each. */
const maxEntries = 5_000;

const tooManyEntries = () => {
  const msg =
    'The answer would have more than 5,000 entries or 5 MB: choose longer intervals, a shorter period, or one assistant';
  return new Invalid([{ loc: ['query', 'interval'], msg, type: 'too_many_entries' }]);
};

/** Usage of one group in one interval. */
export interface UsageGroup {
  /** Null if all usage of the interval is one group. */
  key: string | null;
  /** Name of the assistant as of its newest call. */
  name: string | null;
  interval: string;
  counters: Counters;
}

/** Groups usage by interval and key. Throws Invalid if there are more than 5,000 groups. */
export async function groupUsage(
  usages: AsyncIterable<DayUsage>,
  { group_by, interval }: { group_by: Grouping; interval: Interval },
): Promise<UsageGroup[]> {
  const isByAssistant = group_by === 'assistant' || group_by === 'version';
  const groups = new Map<string, UsageGroup>();
  for await (const usage of usages) {
    const start = toInterval(usage.day, interval);
    for (const [key, counters] of splitByGroup(usage, group_by)) {
      const id = `${start} ${key}`;
      const known = groups.get(id);
      const sum = known?.counters ?? {};
      addCounters(sum, counters);
      const name = isByAssistant ? (usage.assistant_name ?? known?.name ?? null) : null;
      groups.set(id, { key: group_by === 'day' ? null : key, name, interval: start, counters: sum });
    }
    if (groups.size > maxEntries) throw tooManyEntries();
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
}

/** Builds the analytics of a period from its groups. Throws Invalid if they have more than 5 MB. */
export function toAnalytics(period: Period, currency: string, groups: readonly UsageGroup[]): Analytics {
  const series = groups.map(({ key, name, interval, counters }) => ({ key, name, interval, ...toNumbers(counters) }));
  if (takeFitting(series).next !== undefined) throw tooManyEntries();
  return { ...period, timezone: 'UTC', currency, series };
}
