import * as v from 'valibot';
import { define } from '../define.ts';
import { between, Envelope, object, record, rule, Timestamp, Uuid } from './common.ts';

/**
 * Use of one model, in the words of LiveKit's `session.usage`. Takes any values: those that make no sense are not counted, so that no
 * call is lost to a counter.
 */
export type UsageEntry = Record<string, unknown>;

/** Highest cost of a call, and highest price. Currencies such as VND have small units. */
export const maxMoney = 1e9;

/** Amount of money, rounded to nine decimals: DynamoDB refuses numbers below 1e-130. */
const Amount = /* @__PURE__ */ define(() =>
  v.optional(
    v.pipe(
      v.number(),
      ...between(0, maxMoney),
      v.transform((amount) => Math.round(amount * 1e9) / 1e9),
    ),
  ),
);

/** Price of a model or of a call: one or more of the amounts that its kind has. */
export const Price = /* @__PURE__ */ define(() =>
  object({
    input: Amount,
    cached_input: Amount,
    output: Amount,
    per_million_characters: Amount,
    per_minute: Amount,
  }),
);
export type Price = v.InferOutput<typeof Price>;

/** Name of a price: `call`, or kind, provider and model. `*` is a model, but no provider. */
export const priceName = /^(?:call|(?:llm|tts|stt):(?:[^/\s*]|[^/\s]{2,80})\/\S{1,120})$/;
const maxPrices = 500;

const PriceEntries = /* @__PURE__ */ define(() =>
  v.pipe(
    record(Price),
    rule(
      'prices',
      { maxProperties: maxPrices, propertyNames: { pattern: priceName.source } },
      'Input should have at most 500 prices',
      (entries: Record<string, Price>) => Object.keys(entries).length <= maxPrices,
    ),
  ),
);

const Currency = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule('currency', '^[A-Z]{3}$', 'Input should be a currency code such as USD', (text: string) =>
      /^[A-Z]{3}$/.test(text),
    ),
  ),
);

export const NewPrices = /* @__PURE__ */ define(() =>
  object({ currency: v.optional(Currency), entries: PriceEntries }),
);
export type NewPrices = v.InferOutput<typeof NewPrices>;

export const Prices = /* @__PURE__ */ define(() =>
  v.object({ currency: v.string(), entries: v.record(v.string(), Price), updated_at: v.nullable(Timestamp) }),
);
export type Prices = v.InferOutput<typeof Prices>;

/** Part of the descriptions of the routes that read usage. */
export const aboutPeriods =
  '`from` and `to` are days in UTC, both included; without them, the last 30 days. Percentiles of latency are estimated from a ' +
  'histogram. Usage is counted in the transaction that saves a call, and stays when calls are deleted or expire.';

/** Day in UTC: 2026-11-21. */
const Day = /* @__PURE__ */ define(() =>
  v.pipe(
    v.string(),
    rule(
      'date_parsing',
      'date',
      'Input should be a day like 2026-11-21',
      (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text,
    ),
  ),
);

const period = /* @__PURE__ */ define(() => ({
  from: v.optional(Day),
  to: v.optional(Day),
  assistant_id: v.optional(Uuid),
}));

export const StatsQuery = /* @__PURE__ */ define(() => v.object(period));

/** Groupings of analytics. */
export const groupings = ['day', 'assistant', 'version', 'model', 'end_reason'] as const;
export type Grouping = (typeof groupings)[number];

/** Length of the intervals of analytics. */
export const intervals = ['day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  v.picklist(values, `Input should be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`);

export const AnalyticsQuery = /* @__PURE__ */ define(() =>
  v.object({
    ...period,
    group_by: v.optional(oneOf(groupings), 'day'),
    interval: v.optional(oneOf(intervals), 'day'),
  }),
);

export const Percentiles = /* @__PURE__ */ define(() =>
  v.object({ turns: v.number(), p50: v.number(), p90: v.number(), p95: v.number(), p99: v.number() }),
);

export const Latency = /* @__PURE__ */ define(() =>
  v.object({ method: v.literal('histogram'), e2e: v.nullable(Percentiles), ttft: v.nullable(Percentiles) }),
);

export const Tokens = /* @__PURE__ */ define(() =>
  v.object({ input: v.number(), cached_input: v.number(), output: v.number() }),
);

/** Sums over calls. Latencies are in milliseconds; null if no worker reported any. */
const numbers = /* @__PURE__ */ define(() => ({
  calls: v.number(),
  minutes: v.number(),
  average_seconds: v.nullable(v.number()),
  messages: v.number(),
  user_messages: v.number(),
  interruptions: v.number(),
  tool_calls: v.number(),
  tool_errors: v.number(),
  latency: Latency,
  tokens: Tokens,
  characters: v.number(),
  transcribed_minutes: v.number(),
  cost: v.nullable(v.number()),
}));

export const UsageNumbers = /* @__PURE__ */ define(() => v.object(numbers));
export type UsageNumbers = v.InferOutput<typeof UsageNumbers>;

/** Usage of one model. */
const ModelUsage = /* @__PURE__ */ define(() =>
  v.object({
    kind: v.picklist(['llm', 'tts', 'stt']),
    provider: v.string(),
    model: v.string(),
    input_tokens: v.number(),
    cached_input_tokens: v.number(),
    output_tokens: v.number(),
    characters: v.number(),
    minutes: v.number(),
    cost: v.nullable(v.number()),
  }),
);
export type ModelUsage = v.InferOutput<typeof ModelUsage>;

export const Stats = /* @__PURE__ */ define(() =>
  v.object({
    from: v.string(),
    to: v.string(),
    timezone: v.literal('UTC'),
    currency: v.string(),
    ...numbers,
    ended: v.record(v.string(), v.number()),
    models: v.array(ModelUsage),
  }),
);
export type Stats = v.InferOutput<typeof Stats>;

/** Numbers of one group in one interval. */
const SeriesEntry = /* @__PURE__ */ define(() =>
  v.object({ key: v.nullable(v.string()), name: v.nullable(v.string()), interval: v.string(), ...numbers }),
);

export const Analytics = /* @__PURE__ */ define(() =>
  v.object({
    from: v.string(),
    to: v.string(),
    timezone: v.literal('UTC'),
    currency: v.string(),
    series: v.array(SeriesEntry),
  }),
);
export type Analytics = v.InferOutput<typeof Analytics>;

export const SavedPrices = /* @__PURE__ */ define(() => Envelope(Prices));
export const StatsResult = /* @__PURE__ */ define(() => Envelope(Stats));
export const AnalyticsResult = /* @__PURE__ */ define(() => Envelope(Analytics));
