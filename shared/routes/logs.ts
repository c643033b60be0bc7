import * as v from 'valibot';
import { define } from '../define.ts';
import { listIgnoredUsage } from '../domain/usage.ts';
import { route } from '../route.ts';
import { Deleted, Envelope, QueryInteger, Uuid } from '../schemas/common.ts';
import { AuditQuery, EventPage } from '../schemas/event.ts';
import { CallLog, Session, SessionLogs, SessionPath, SessionWithLogs, sessionFilters } from '../schemas/session.ts';

const paging = /* @__PURE__ */ define(() => ({
  limit: v.optional(QueryInteger(1, 1000)),
  cursor: v.optional(v.string()),
}));

/** Order of sessions in listings. */
const sessionOrder =
  'Sorted by the start of the call, or by the time when it was saved if the start is unknown, in the future, before 2000, or older ' +
  'than the retention of calls.';

export const create = /* @__PURE__ */ route(() => ({
  id: 'logs/create',
  method: 'POST',
  path: '/logs/call-logs',
  scope: 'logs',
  summary: 'Save the log of a call with its transcript',
  description:
    'Accepts the transcript formats of LiveKit, Retell, Vapi and ElevenLabs, and a plain one. Without an `Idempotency-Key`, a longer ' +
    'version of a stored call replaces it, an equal one changes nothing, and any other becomes a new session. Unknown fields are ' +
    'stored as `extra`. Values of `usage`, `cost`, `assistant_version`, `direction`, `from` and `to` that make no sense are left out and ' +
    'named in `x-ignored-fields`; no call is refused for them.',
  body: CallLog,
  listIgnored: listIgnoredUsage,
  maxBodyBytes: 6 * 1024 * 1024,
  mayBeLossy: true,
  canary: true,
  returns: Envelope(v.object({ id: Uuid, ...Session.entries })),
  creates: true,
  errors: ['NotFound', 'Conflict'],
  tells: ['call.completed', 'call.updated'],
  needs: {
    rows: {
      assistants: ['BatchGetItem'],
      calls: ['Query', 'PutItem'],
      sessions: ['GetItem', 'PutItem'],
      transcripts: ['PutItem', 'DeleteItem'],
      counts: ['UpdateItem'],
      usage: ['BatchGetItem', 'UpdateItem'],
      once: ['PutItem'],
    },
    files: { transcripts: ['PutObject', 'DeleteObject'] },
  },
}));

export const get = /* @__PURE__ */ route(() => ({
  id: 'logs/get',
  method: 'GET',
  path: '/logs/chat-logs/{session_id}',
  scope: 'read',
  summary: 'Read the logs of one session',
  description:
    'Returns as many as fit into one response (5 MB). If there are more, `next_cursor` points to the next page.',
  params: SessionPath,
  query: v.object({ cursor: v.optional(v.string()) }),
  cursor: true,
  returns: Envelope(SessionLogs),
  errors: ['NotFound'],
  needs: { rows: { sessions: ['BatchGetItem'], transcripts: ['BatchGetItem'] }, files: { transcripts: ['GetObject'] } },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'logs/delete',
  method: 'DELETE',
  path: '/logs/chat-logs/{session_id}',
  scope: 'write',
  summary: 'Delete a session with its transcript',
  params: SessionPath,
  returns: Deleted,
  errors: ['NotFound'],
  tells: ['call.deleted'],
  needs: {
    rows: {
      sessions: ['GetItem', 'DeleteItem'],
      transcripts: ['DeleteItem'],
      calls: ['DeleteItem'],
      counts: ['UpdateItem'],
    },
    files: { transcripts: ['DeleteObject'] },
  },
}));

export const sessions = /* @__PURE__ */ route(() => ({
  id: 'logs/sessions',
  method: 'GET',
  path: '/logs/chat-sessions',
  scope: 'read',
  summary: 'List your sessions, newest first',
  description: sessionOrder,
  query: v.object({ ...paging, ...sessionFilters }),
  returns: Envelope(v.object({ sessions: v.array(Session), next_cursor: v.nullable(v.string()) })),
  cursor: true,
  errors: [],
  needs: { rows: { sessions: ['Query'] }, indexes: ['by-assistant', 'by-room'] },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'logs/list',
  method: 'GET',
  path: '/logs/chat-logs',
  scope: 'read',
  summary: 'List your sessions with their logs, newest first',
  description: sessionOrder,
  query: v.object({ ...paging, ...sessionFilters }),
  returns: Envelope(v.object({ sessions: v.array(SessionWithLogs), next_cursor: v.nullable(v.string()) })),
  cursor: true,
  errors: [],
  needs: {
    rows: { sessions: ['Query', 'BatchGetItem'], transcripts: ['BatchGetItem'] },
    indexes: ['by-assistant', 'by-room'],
    files: { transcripts: ['GetObject'] },
  },
}));

export const audit = /* @__PURE__ */ route(() => ({
  id: 'logs/audit',
  method: 'GET',
  path: '/logs/audit',
  scope: 'events',
  summary: 'List who changed what, newest first',
  description:
    'Events are kept for 90 days, unless the deployment sets `eventDays`. `type` is a type or all types of a subject: `call.*`. A ' +
    'page with a filter may have fewer events than `limit`, or none, and still a `next_cursor`: it reads at most 5 MB.',
  query: AuditQuery,
  returns: EventPage,
  cursor: true,
  errors: [],
  needs: { rows: { events: ['Query'] } },
}));
