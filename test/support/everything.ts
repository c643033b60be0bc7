import { randomUUID } from 'node:crypto';
import type { Client, Reply } from './api.ts';
import { minimal } from './assistants.ts';
import { formOf, post, read } from './knowledge-bases.ts';
import type { Things } from './tenancy.ts';

/** So many turns, each of which says something else. */
export const turns = (count: number): object[] =>
  Array.from({ length: count }, () => ({ id: randomUUID(), role: 'user', content: 'Hello' }));

/** What was made. Throws where it was not. */
function made<T>({ status, body, text }: Pick<Reply<T>, 'status' | 'body' | 'text'>): T {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

type Made = { data: { id: string } };

/** Has a user make one of everything, with a call of this transcript, and says how requests ask for it. */
export async function everythingOf(user: Client, transcript = turns(1)): Promise<Things> {
  const first = await user.post<{ id: string }>('/assistants', minimal);
  const assistant = made(first);
  const form = formOf('The archive is in the cellar.');
  const document = made(await post<Made>(user, '/assistants/knowledge-base', form));
  const { id: knowledge_base_id } = await read(user, document.data.id);
  made(await user.put(`/assistants/${assistant.id}/knowledge-bases/${knowledge_base_id}`, undefined));
  const room_name = `room-${randomUUID()}`;
  const log = { assistant_id: assistant.id, room_name, transcript };
  const session = made(await user.post<Made>('/logs/call-logs', log));
  const name = `name-${randomUUID()}`;
  const service_type = `vendor-${randomUUID()}`;
  made(await user.post('/user-credentials', { service_type, name, api_key: `sk-${randomUUID()}` }));
  const scopes = ['read', 'write', 'logs', 'runtime'];
  const key = made(await user.post<Made>('/api-keys', { name, scopes }));
  made(await user.post('/assistants', minimal, { 'idempotency-key': name }));
  made(await user.post('/logs/call-logs', { ...log, room_name: `${room_name}-2` }));
  const page = await user.get<{ data: { next_cursor: string } }>('/logs/chat-sessions?limit=1');
  return {
    assistant_id: assistant.id,
    knowledge_base_id,
    session_id: session.data.id,
    api_key_id: key.data.id,
    id: key.data.id,
    service_type,
    name,
    room_name,
    cursor: made(page).data.next_cursor,
    'if-match': first.headers.get('etag') ?? '',
    'idempotency-key': name,
  };
}
