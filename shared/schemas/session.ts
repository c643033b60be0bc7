import * as v from 'valibot';
import { define } from '../define.ts';
import { between, Integer, lenient, Name, openObject, rule, Text, Timestamp, TimestampInput, Uuid } from './common.ts';
import { Log } from './log.ts';
import { maxMoney } from './usage.ts';

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** Pattern of numeric strings in the OpenAPI document. The parser accepts more. */
const numericPattern = '^[0-9]{1,9}(\\.[0-9]+)?$';

/** Seconds, as a number or numeric string. */
const Seconds = /* @__PURE__ */ define(() =>
  v.pipe(
    v.union([
      v.pipe(v.number(), ...between(0, 1e9)),
      v.pipe(v.string(), rule('float_parsing', numericPattern, 'Input should be a number', isNumeric)),
    ]),
    v.transform(Number),
    ...between(0, 1e9),
    v.transform((seconds) => Math.round(seconds * 1000) / 1000),
  ),
);

const HttpsUrl = /* @__PURE__ */ define(() =>
  v.pipe(
    Text(2_048),
    rule(
      'url_parsing',
      'uri',
      'Input should be an https address',
      (text: string) => text.startsWith('https://') && URL.canParse(text),
    ),
  ),
);

const Transcript = /* @__PURE__ */ define(() =>
  v.pipe(
    v.array(openObject({})),
    rule(
      'too_long',
      10_000,
      'Input should have at most 10,000 items',
      (items: Record<string, unknown>[]) => items.length <= 10_000,
    ),
  ),
);

const directions = ['inbound', 'outbound', 'web'] as const;

/**
 * Call log from a voice worker. Unknown keys are stored as `extra`, so that a new field never loses a call, and none is lost to its usage.
 */
export const CallLog = /* @__PURE__ */ define(() =>
  openObject({
    assistant_id: Uuid,
    room_name: Text(256, 1),
    transcript: Transcript,
    session_duration: v.nullish(Seconds),
    participant_name: v.nullish(Text(256)),
    started_at: v.nullish(TimestampInput),
    ended_at: v.nullish(TimestampInput),
    end_reason: v.nullish(Text(256)),
    recording_url: v.nullish(HttpsUrl),
    metadata: v.nullish(openObject({})),
    usage: v.optional(v.unknown()),
    cost: lenient(v.pipe(v.number(), ...between(0, maxMoney))),
    assistant_version: lenient(Integer(1, 1e6)),
    direction: lenient(v.picklist(directions)),
    from: lenient(Text(256)),
    to: lenient(Text(256)),
  }),
);
export type CallLog = v.InferOutput<typeof CallLog>;

/** Medium of a call: voice through a worker, or text through this service. */
export const channels = ['voice', 'text'] as const;
export type Channel = (typeof channels)[number];

export const Session = /* @__PURE__ */ define(() =>
  v.object({
    session_id: Uuid,
    assistant_id: Uuid,
    assistant_name: v.nullable(Name(200)),
    room_name: v.string(),
    participant_name: v.nullable(v.string()),
    channel: v.picklist(channels),
    message_count: v.number(),
    session_duration: v.nullable(v.number()),
    preview: v.nullable(v.string()),
    started_at: v.nullable(Timestamp),
    ended_at: v.nullable(Timestamp),
    end_reason: v.nullable(v.string()),
    assistant_version: v.nullable(v.number()),
    latency_ms: v.nullable(v.number()),
    cost: v.nullable(v.number()),
    created_at: Timestamp,
  }),
);
export type Session = v.InferOutput<typeof Session>;

/**
 * Fields of a call log that are stored with the transcript and returned with the logs of a session. The session's row has a copy of
 * the end reason for listings; old rows have none.
 */
export const CallDetails = /* @__PURE__ */ define(() =>
  v.object({
    end_reason: v.nullable(v.string()),
    recording_url: v.nullable(v.string()),
    metadata: v.nullable(openObject({})),
    direction: v.nullable(v.picklist(directions)),
    from: v.nullable(v.string()),
    to: v.nullable(v.string()),
    usage: v.unknown(),
    extra: openObject({}),
  }),
);
export type CallDetails = v.InferOutput<typeof CallDetails>;

/** Logs in order. If one response cannot hold them all, `next_cursor` is the cursor of the next page at the session's path. */
const Logs = /* @__PURE__ */ define(() => ({ logs: v.array(Log), next_cursor: v.nullable(v.string()) }));

export const SessionLogs = /* @__PURE__ */ define(() =>
  v.object({ session: v.object({ ...Session.entries, ...CallDetails.entries }), ...Logs }),
);

export const SessionWithLogs = /* @__PURE__ */ define(() =>
  v.object({ ...Session.entries, ...CallDetails.entries, ...Logs }),
);

/** Path of a session. Accepts any string as id, so that an unknown id of any form gets a 404. */
export const SessionPath = /* @__PURE__ */ define(() => v.object({ session_id: v.string() }));

export const sessionFilters = /* @__PURE__ */ define(() => ({
  assistant_id: v.optional(Uuid),
  room_name: v.optional(Text(256, 1)),
  from: v.optional(TimestampInput),
  to: v.optional(TimestampInput),
}));
