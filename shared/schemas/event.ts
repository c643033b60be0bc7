import * as v from 'valibot';
import { define } from '../define.ts';
import { type EventType, eventTypes } from '../events.ts';
import { Envelope, QueryInteger, rule, Text, Timestamp, TimestampInput, Uuid } from './common.ts';

/** Author of a change: a person, an API key, a machine client, or the service itself. */
export const Actor = /* @__PURE__ */ define(() =>
  v.object({ kind: v.picklist(['user', 'api_key', 'client', 'service']), id: v.string() }),
);
export type Actor = v.InferOutput<typeof Actor>;

/** An event of the journal. `data` depends on `type`. */
export const JournalEvent = /* @__PURE__ */ define(() =>
  v.object({
    id: Uuid,
    type: v.picklist(Object.keys(eventTypes) as EventType[]),
    subject: v.object({ type: v.string(), id: v.string() }),
    data: v.looseObject({}),
    actor: Actor,
    user_id: v.nullable(v.string()),
    request_id: v.string(),
    created_at: Timestamp,
  }),
);
export type JournalEvent = v.InferOutput<typeof JournalEvent>;

/** Type of events, or all types of a subject: `call.*`. */
const TypeFilter = /* @__PURE__ */ define(() => {
  const types = Object.keys(eventTypes);
  const allowed = [...types, ...new Set(types.map((type) => `${type.split('.', 1)[0]}.*`))];
  const message = 'Input should be a type of events, such as call.completed, or all types of a subject, such as call.*';
  return v.pipe(
    v.string(),
    rule('enum', allowed, message, (type: string) => allowed.includes(type)),
  );
});

const paging = /* @__PURE__ */ define(() => ({
  type: v.optional(TypeFilter),
  limit: v.optional(QueryInteger(1, 1000), '100'),
  cursor: v.optional(v.string()),
}));

export const AuditQuery = /* @__PURE__ */ define(() =>
  v.object({
    ...paging,
    subject_id: v.optional(Text(200, 1)),
    actor_id: v.optional(Text(400, 1)),
    from: v.optional(TimestampInput),
    to: v.optional(TimestampInput),
  }),
);

export const EventsQuery = /* @__PURE__ */ define(() =>
  v.object({
    ...paging,
    after: v.optional(Uuid),
    settled: v.optional(v.picklist(['true', 'false'], 'Input should be true or false'), 'true'),
  }),
);

export const EventPage = /* @__PURE__ */ define(() =>
  Envelope(v.object({ events: v.array(JournalEvent), next_cursor: v.nullable(v.string()) })),
);
