import * as v from 'valibot';
import { route } from '../route.ts';
import { Envelope, QueryInteger } from '../schemas/common.ts';
import { Session } from '../schemas/session.ts';

export const list = /* @__PURE__ */ route(() => ({
  id: 'chats/list',
  method: 'GET',
  path: '/chat',
  scope: 'read',
  summary: 'List your chats by limit and skip, newest first',
  description:
    'Lists the same as `/logs/chat-sessions`. For many sessions, use its cursor: `skip` reads all skipped items. `limit` defaults to 50.',
  query: v.object({ limit: v.optional(QueryInteger(1, 1000)), skip: v.optional(QueryInteger(0, 10_000)) }),
  returns: Envelope(
    v.object({
      chats: v.array(Session),
      total: v.number(),
      limit: v.number(),
      skip: v.number(),
      has_more: v.boolean(),
    }),
  ),
  errors: [],
  needs: { rows: { sessions: ['Query'], counts: ['Query'] } },
}));
