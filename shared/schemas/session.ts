import * as v from 'valibot';
import { define } from '../define.ts';
import { between, Moment, Name, openObject, rule, Text, Timestamp, Uuid } from './common.ts';
import { Log } from './log.ts';

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** What the document asks for, of all that is read as a number. */
const numeric = '^[0-9]{1,9}(\\.[0-9]+)?$';

/** Seconds; a numeric string is read as one. */
const Seconds = /* @__PURE__ */ define(() =>
  v.pipe(
    v.union([
      v.pipe(v.number(), ...between(0, 1e9)),
      v.pipe(v.string(), rule('float_parsing', numeric, 'Input should be a number', isNumeric)),
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

/** What a voice worker posts of a call. Other keys are kept as `extra`: a call must not be lost to a new field. */
export const CallLog = /* @__PURE__ */ define(() =>
  openObject({
    assistant_id: Uuid,
    room_name: Text(256, 1),
    transcript: Transcript,
    session_duration: v.nullish(Seconds),
    participant_name: v.nullish(Text(256)),
    started_at: v.nullish(Moment),
    ended_at: v.nullish(Moment),
    end_reason: v.nullish(Text(256)),
    recording_url: v.nullish(HttpsUrl),
    metadata: v.nullish(openObject({})),
  }),
);
export type CallLog = v.InferOutput<typeof CallLog>;

export const Session = /* @__PURE__ */ define(() =>
  v.object({
    session_id: Uuid,
    assistant_id: Uuid,
    assistant_name: v.nullable(Name(200)),
    room_name: v.string(),
    participant_name: v.nullable(v.string()),
    channel: v.literal('voice'),
    message_count: v.number(),
    session_duration: v.nullable(v.number()),
    preview: v.nullable(v.string()),
    started_at: v.nullable(Timestamp),
    ended_at: v.nullable(Timestamp),
    end_reason: v.nullable(v.string()),
    created_at: Timestamp,
  }),
);
export type Session = v.InferOutput<typeof Session>;

/**
 * Fields of a call log that are stored with its transcript, and shown with the logs of its session. The end reason is in the row of
 * the session too, for listings; rows that were saved before have none.
 */
export const CallDetails = /* @__PURE__ */ define(() =>
  v.object({
    end_reason: v.nullable(v.string()),
    recording_url: v.nullable(v.string()),
    metadata: v.nullable(openObject({})),
    extra: openObject({}),
  }),
);
export type CallDetails = v.InferOutput<typeof CallDetails>;

/** Logs in order; where an answer cannot hold them all, `next_cursor` leads on, at the address of their session. */
const Logs = /* @__PURE__ */ define(() => ({ logs: v.array(Log), next_cursor: v.nullable(v.string()) }));

export const SessionLogs = /* @__PURE__ */ define(() =>
  v.object({ session: v.object({ ...Session.entries, ...CallDetails.entries }), ...Logs }),
);

export const SessionWithLogs = /* @__PURE__ */ define(() =>
  v.object({ ...Session.entries, ...CallDetails.entries, ...Logs }),
);

/** A session's id as a path may say it: unknown is 404, of whatever form. */
export const SessionPath = /* @__PURE__ */ define(() => v.object({ session_id: v.string() }));

export const filters = /* @__PURE__ */ define(() => ({
  assistant_id: v.optional(Uuid),
  room_name: v.optional(Text(256, 1)),
  from: v.optional(Moment),
  to: v.optional(Moment),
}));
