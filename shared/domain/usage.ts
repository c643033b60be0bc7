import type { Log } from '../schemas/log.ts';
import { maxMoney, type Prices, type UsageEntry } from '../schemas/usage.ts';
import type { Item } from './transcript-item.ts';

/** Whole numbers by name, of one call or summed over many. A name that is missing counts as 0. */
export type Counters = Record<string, number>;

/** Names of the counters that sum up calls, except those of latencies, models and end reasons. */
export const usageSums = [
  ...['calls', 'timed_calls', 'duration_ms', 'messages', 'user_messages', 'interruptions', 'tool_calls', 'tool_errors'],
  ...['llm_input', 'llm_cached', 'llm_output', 'tts_characters', 'stt_ms', 'cost_micros', 'priced_calls'],
];

/** Upper bounds of the buckets that count turns by latency, in milliseconds. The last bucket has none. */
export const latencyBounds = [
  200, 300, 400, 500, 600, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500,
] as const;

/** Latencies of a turn, by the name of their counters and the key of LiveKit's metrics, which are in seconds. */
const latencyKeys = { e2e: 'e2e_latency', ttft: 'llm_node_ttft' } as const;
export type Latency = keyof typeof latencyKeys;

const kinds = ['llm', 'tts', 'stt'] as const;
export type ModelKind = (typeof kinds)[number];

/** Highest amount of a call that is counted. Sums of a day then stay whole numbers in JavaScript. */
const maxAmount = 1e9;

const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= maxAmount;

/** Returns the whole number under one of the keys, or 0. */
function readCount(entry: Item, keys: readonly string[], factor = 1): number {
  const value = keys.map((key) => entry[key]).find(isNumber);
  return value === undefined ? 0 : Math.min(maxAmount, Math.round(value * factor));
}

/** Longest latency that is counted, in seconds. What is longer is a wrong unit or a stopped clock. */
const maxLatencySeconds = 600;

/** Returns a latency of a turn, in milliseconds. Undefined if it has none that makes sense. */
function findLatency(item: Item, latency: Latency): number | undefined {
  const value = (item.metrics as Item | null | undefined)?.[latencyKeys[latency]];
  return isNumber(value) && value <= maxLatencySeconds ? value * 1000 : undefined;
}

const findBucket = (ms: number) => {
  const index = latencyBounds.findIndex((bound) => ms < bound);
  return index < 0 ? latencyBounds.length : index;
};

/** Counts the messages, function calls and latencies of a call. */
export function countTurns(logs: readonly Log[], items: readonly object[]): Counters {
  const messages = logs.filter(({ type }) => type === 'message');
  const counters: Counters = {
    messages: messages.length,
    user_messages: messages.filter(({ role }) => role === 'user').length,
    interruptions: logs.filter(({ interrupted }) => interrupted).length,
    tool_calls: logs.filter(({ type }) => type === 'function_call').length,
    tool_errors: logs.filter(({ is_error }) => is_error).length,
  };
  for (const latency of Object.keys(latencyKeys) as Latency[]) {
    for (const item of items as readonly Item[]) {
      const ms = findLatency(item, latency);
      if (ms !== undefined) addTo(counters, `${latency}_${findBucket(ms)}`, 1);
    }
  }
  return counters;
}

/** Returns the median latency of a call's turns, in milliseconds. Null if no turn has one. */
export function findMedianLatency(items: readonly object[]): number | null {
  const all = (items as readonly Item[]).map((item) => findLatency(item, 'e2e')).filter((ms) => ms !== undefined);
  const sorted = all.sort((one, other) => one - other);
  const median = sorted[sorted.length >> 1];
  return median === undefined ? null : Math.round(median);
}

function addTo(counters: Counters, name: string, by: number): void {
  counters[name] = (counters[name] ?? 0) + by;
}

const maxNameLength = 60;

const isName = (name: unknown) => typeof name === 'string' && name.trim() !== '';

/** Returns a name that a client chose, escaped for the name of a counter, where `|` separates parts. */
const toPart = (name: unknown) =>
  (typeof name === 'string' ? name.trim() : '')
    .replaceAll(/[\s|]+/g, '-')
    .slice(0, maxNameLength)
    .toWellFormed() || 'unknown';

/** Returns provider and model as one name: `openai/gpt-4.1-mini`. A model's name may contain slashes. */
const toModelName = ({ provider, model }: UsageEntry) => `${toPart(provider).replaceAll('/', '-')}/${toPart(model)}`;

/** Number of entries of a call that are counted. */
const maxEntries = 30;

const findModelKind = ({ type }: UsageEntry) => kinds.find((kind) => type === `${kind}_usage`);

/** Keys of amounts, in the words of LiveKit in Python and on Node. */
const amountKeys = {
  input: ['input_tokens', 'inputTokens'],
  cached: ['input_cached_tokens', 'inputCachedTokens'],
  output: ['output_tokens', 'outputTokens'],
  characters: ['characters_count', 'charactersCount'],
  seconds: ['audio_duration'],
  ms: ['audioDurationMs'],
} as const;

/** Returns an entry of a call's usage with its kind. Undefined if it is not counted. */
function parseEntry(entry: unknown, index: number): { kind: ModelKind; entry: UsageEntry } | undefined {
  if (index >= maxEntries || typeof entry !== 'object' || entry === null) return undefined;
  const kind = findModelKind(entry as UsageEntry);
  return kind && { kind, entry: entry as UsageEntry };
}

/** Lists the keys of an entry that make no sense: missing names and impossible amounts. */
function listWrongKeys(entry: UsageEntry): string[] {
  const names = ['provider', 'model'].filter((key) => !isName(entry[key]));
  const wrong = Object.values(amountKeys)
    .flat()
    .filter((key) => entry[key] != null && !isNumber(entry[key]));
  const [input, cached] = [readCount(entry, amountKeys.input), readCount(entry, amountKeys.cached)];
  const excessive = cached > input ? amountKeys.cached.filter((key) => isNumber(entry[key])) : [];
  return [...names, ...wrong, ...excessive];
}

/** Lists the parts of a call's usage that make no sense: whole entries that are not counted, or single values of counted ones. */
export function listIgnoredUsage({ usage }: ReportedUsage): string[] {
  if (usage === undefined || usage === null) return [];
  if (!Array.isArray(usage)) return ['usage'];
  return usage.flatMap((sent, index) => {
    const parsed = parseEntry(sent, index);
    return parsed ? listWrongKeys(parsed.entry).map((key) => `usage.${index}.${key}`) : [`usage.${index}`];
  });
}

/** Amounts that a model is counted and billed by, by the suffix of their counters. */
type ModelAmounts = Record<string, number>;

/** Reads the amounts of a model. Speech is counted in milliseconds. */
function readAmounts(kind: ModelKind, entry: UsageEntry): ModelAmounts {
  if (kind === 'tts') return { characters: readCount(entry, amountKeys.characters) };
  if (kind === 'stt') return { ms: readCount(entry, amountKeys.seconds, 1000) || readCount(entry, amountKeys.ms) };
  const input = readCount(entry, amountKeys.input);
  return {
    input,
    cached: Math.min(input, readCount(entry, amountKeys.cached)),
    output: readCount(entry, amountKeys.output),
  };
}

/** Names of the sums over all models of a kind. */
const sumNames: Record<ModelKind, Record<string, string>> = {
  llm: { input: 'llm_input', cached: 'llm_cached', output: 'llm_output' },
  tts: { characters: 'tts_characters' },
  stt: { ms: 'stt_ms' },
};

const minuteMs = 60_000;

/** Highest cost of a call, in millionths. */
const maxCostMicros = maxMoney * 1e6;

/**
 * Returns the cost of a model's usage in millionths of the currency, or undefined if it has no price. Tokens and characters are priced
 * per million, so their price is in millionths.
 */
function priceModel(kind: ModelKind, model: string, amounts: ModelAmounts, prices: Prices): number | undefined {
  const [provider] = model.split('/');
  const price = prices.entries[`${kind}:${model}`] ?? prices.entries[`${kind}:${provider}/*`];
  if (!price) return undefined;
  const { input = 0, cached = 0, output = 0, characters = 0, ms = 0 } = amounts;
  const { input: perInput = 0, cached_input = perInput, output: perOutput = 0 } = price;
  const tokens = (input - cached) * perInput + cached * cached_input + output * perOutput;
  const perMinute = ((price.per_minute ?? 0) * ms * 1e6) / minuteMs;
  return Math.min(maxCostMicros, Math.round(tokens + characters * (price.per_million_characters ?? 0) + perMinute));
}

/** Fields of a call log about usage and cost. */
export interface ReportedUsage {
  usage?: unknown;
  cost?: number | null | undefined;
  session_duration?: number | null | undefined;
}

/**
 * Counts what a call used, by model and in all, and its cost in millionths of the currency: what the worker says, or the usage at the
 * user's prices. The cost is missing if nothing has a price.
 */
export function countUsage({ usage, cost, session_duration }: ReportedUsage, prices: Prices): Counters {
  const counters: Counters = {};
  let total: number | undefined;
  for (const [index, sent] of (Array.isArray(usage) ? usage : []).entries()) {
    const parsed = parseEntry(sent, index);
    if (!parsed) continue;
    const { kind, entry } = parsed;
    const model = toModelName(entry);
    const amounts = readAmounts(kind, entry);
    for (const [name, amount] of Object.entries(amounts)) {
      addTo(counters, `${kind}|${model}|${name}`, amount);
      addTo(counters, sumNames[kind][name] ?? name, amount);
    }
    const micros = priceModel(kind, model, amounts, prices);
    if (micros === undefined) continue;
    const name = `${kind}|${model}|cost_micros`;
    counters[name] = Math.min(maxCostMicros, (counters[name] ?? 0) + micros);
    total = (total ?? 0) + micros;
  }
  const { per_minute } = prices.entries.call ?? {};
  if (per_minute !== undefined) total = (total ?? 0) + Math.round((per_minute * (session_duration ?? 0) * 1e6) / 60);
  const known = typeof cost === 'number' ? Math.round(cost * 1e6) : total && Math.min(total, maxCostMicros);
  if (known === undefined) return counters;
  return { ...counters, cost_micros: known, priced_calls: 1 };
}

/** Returns an end reason as part of a counter's name: its first words, without digits, since usage outlives calls and their numbers. */
const toSlug = (reason: string) => {
  const words = reason.toLowerCase().match(/\p{L}+/gu) ?? ['unknown'];
  return words.slice(0, 6).join('_').slice(0, 40).toWellFormed();
};

/** Longest call that is counted in full, in seconds: a month. */
const maxSeconds = 2_678_400;

/** Counts one call: that it happened, its length, and how it ended. */
export const countCall = ({
  session_duration,
  end_reason,
}: {
  session_duration: number | null;
  end_reason: string | null;
}): Counters => ({
  calls: 1,
  ...(session_duration !== null && {
    timed_calls: 1,
    duration_ms: Math.round(Math.min(session_duration, maxSeconds) * 1000),
  }),
  ...(end_reason !== null && { [`ended|${toSlug(end_reason)}`]: 1 }),
});

/** Names that stand for all names beyond the limit of a row. */
const others = ['other', 'other/other'];

/** Returns the model or end reason of a counter, with its kind. Undefined for the service's own counters, and for `other`. */
export function findChosenName(name: string): string | undefined {
  const [kind, chosen] = name.split('|');
  return chosen === undefined || others.includes(chosen) ? undefined : `${kind}|${chosen}`;
}

/** Counts models and end reasons as `other`, except known ones, for a row that has no room for more names. */
export function foldChosenNames(counters: Counters, known: ReadonlySet<string>): Counters {
  const folded: Counters = {};
  for (const [name, value] of Object.entries(counters)) {
    const [kind, , amount] = name.split('|');
    const chosen = findChosenName(name);
    if (chosen === undefined || known.has(chosen)) addTo(folded, name, value);
    else addTo(folded, amount === undefined ? `${kind}|other` : `${kind}|other/other|${amount}`, value);
  }
  return folded;
}

/** Returns the counters that turn `before` into `after`, without those that stay the same. */
export function subtractCounters(after: Counters, before: Counters): Counters {
  const names = new Set([...Object.keys(after), ...Object.keys(before)]);
  const entries = [...names].map((name): [string, number] => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
  return Object.fromEntries(entries.filter(([, by]) => by !== 0));
}

/** Adds counters to a sum. */
export function addCounters(sum: Counters, counters: Counters): void {
  for (const [name, by] of Object.entries(counters)) addTo(sum, name, by);
}
