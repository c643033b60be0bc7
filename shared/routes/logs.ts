import * as v from 'valibot';
import { define } from '../define.ts';
import { route } from '../route.ts';
import { Deleted, Envelope, QueryInteger, Uuid } from '../schemas/common.ts';
import { CallLog, filters, Session, SessionLogs, SessionPath, SessionWithLogs } from '../schemas/session.ts';

const paging = /* @__PURE__ */ define(() => ({
  limit: v.optional(QueryInteger(1, 1000)),
  cursor: v.optional(v.string()),
}));

/** Description of the order of sessions. */
const byStart =
  'By the start of the call. By when it was saved where nobody says a start, where it is in the future or before 2000, or longer ago ' +
  'than calls are kept.';

export const create = /* @__PURE__ */ route(() => ({
  id: 'logs/create',
  method: 'POST',
  path: '/logs/call-logs',
  scope: 'logs',
  summary: 'Save the log of a call with its transcript',
  description:
    "Transcript items are taken in the shape of any worker: LiveKit's, Retell's, Vapi's, ElevenLabs' or plain. Without an " +
    '`Idempotency-Key`, a longer telling of a stored call replaces it, an equal one changes nothing, and any other is a ' +
    'session of its own. Unknown fields are kept as `extra`.',
  body: CallLog,
  maxBodyBytes: 6 * 1024 * 1024,
  mayBeLossy: true,
  canary: true,
  returns: Envelope(v.object({ id: Uuid, ...Session.entries })),
  creates: true,
  errors: ['NotFound', 'Conflict'],
  needs: {
    rows: {
      assistants: ['BatchGetItem'],
      calls: ['Query', 'PutItem'],
      sessions: ['GetItem', 'PutItem'],
      transcripts: ['PutItem', 'DeleteItem'],
      counts: ['UpdateItem'],
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
  description: 'All of them, or as many as fit into one answer (5 MB); then `next_cursor` leads on.',
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
  description: byStart,
  query: v.object({ ...paging, ...filters }),
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
  description: byStart,
  query: v.object({ ...paging, ...filters }),
  returns: Envelope(v.object({ sessions: v.array(SessionWithLogs), next_cursor: v.nullable(v.string()) })),
  cursor: true,
  errors: [],
  needs: {
    rows: { sessions: ['Query', 'BatchGetItem'], transcripts: ['BatchGetItem'] },
    indexes: ['by-assistant', 'by-room'],
    files: { transcripts: ['GetObject'] },
  },
}));
