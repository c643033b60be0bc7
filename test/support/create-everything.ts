import { randomUUID } from 'node:crypto';
import type { Job } from '../../shared/schemas/job.ts';
import type { Client, Reply } from './api.ts';
import { minimal } from './assistants.ts';
import { createWebhook, waitForDelivery } from './delivery-host.ts';
import { buildForm, postForm, waitUntilParsed } from './knowledge-bases.ts';
import { startReceiver } from './receiver.ts';
import type { OwnedValues } from './tenancy.ts';
import { eventually } from './timeouts.ts';

/** Builds a transcript of `count` turns with different ids. */
export const buildTurns = (count: number): object[] =>
  Array.from({ length: count }, () => ({ id: randomUUID(), role: 'user', content: 'Hello' }));

/** Returns the body of a reply. Throws unless its status is 200. */
function expectOk<T>({ status, body, text }: Pick<Reply<T>, 'status' | 'body' | 'text'>): T {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body;
}

type Created = { data: { id: string } };

/** Creates a webhook with a receiver that accepts a test event and is then stopped. */
async function deliverTest(user: Client): Promise<{ webhook_id: string; event_id: string }> {
  const receiver = await startReceiver();
  const { id: webhook_id } = await createWebhook(user, { url: receiver.url, events: ['assistant.deleted'] });
  expectOk(await user.post(`/webhooks/${webhook_id}/test`, {}));
  const { event_id } = await waitForDelivery(user, webhook_id, 'delivered');
  receiver.stop();
  return { webhook_id, event_id };
}

/** Creates a job, and waits until it is done: its one request fails, since there is no key of a vendor. */
export async function runJob(user: Client, model: string): Promise<string> {
  const requests = [{ custom_id: 'one', body: { model, messages: [{ role: 'user', content: 'Hello' }] } }];
  const { data } = expectOk(await user.post<{ data: Job }>('/batch/chat/completions', { requests }));
  await eventually(async () => {
    const { body } = await user.get<{ data: Job }>(`/batch/status/${data.job_id}`);
    if (body.data.status !== 'done') throw new Error(`The job is ${body.data.status}`);
  });
  return data.job_id;
}

/** Creates one of every resource for a user, with a call of this transcript. Returns the values that requests refer to them by. */
export async function createEverything(user: Client, transcript = buildTurns(1)): Promise<OwnedValues> {
  const http = { url: 'https://tools.invalid/' };
  const tools = [{ type: 'http', name: 'look_up', description: 'Looks something up', http }];
  const first = await user.post<{ id: string }>('/assistants', { ...minimal, tools });
  const assistant = expectOk(first);
  expectOk(await user.post(`/assistants/${assistant.id}/versions`, { live: false }));
  const form = buildForm('The archive is in the cellar.');
  const document = expectOk(await postForm<Created>(user, '/assistants/knowledge-base', form));
  const { id: knowledge_base_id } = await waitUntilParsed(user, document.data.id);
  expectOk(await user.put(`/assistants/${assistant.id}/knowledge-bases/${knowledge_base_id}`, undefined));
  const room_name = `room-${randomUUID()}`;
  const log = { assistant_id: assistant.id, room_name, transcript };
  const session = expectOk(await user.post<Created>('/logs/call-logs', log));
  const name = `name-${randomUUID()}`;
  const service_type = `vendor-${randomUUID()}`;
  expectOk(await user.post('/user-credentials', { service_type, name, api_key: `sk-${randomUUID()}` }));
  const scopes = ['read', 'write', 'logs', 'runtime'];
  const key = expectOk(await user.post<Created>('/api-keys', { name, scopes }));
  expectOk(await user.post('/assistants', minimal, { 'idempotency-key': name }));
  expectOk(await user.post('/logs/call-logs', { ...log, room_name: `${room_name}-2` }));
  const { webhook_id, event_id } = await deliverTest(user);
  const job_id = await runJob(user, assistant.id);
  const page = await user.get<{ data: { next_cursor: string } }>('/logs/chat-sessions?limit=1');
  return {
    assistant_id: assistant.id,
    knowledge_base_id,
    tool_name: 'look_up',
    session_id: session.data.id,
    api_key_id: key.data.id,
    id: key.data.id,
    service_type,
    webhook_id,
    event_id,
    name,
    room_name,
    subject_id: assistant.id,
    model: assistant.id,
    job_id,
    actor_id: user.sub,
    cursor: expectOk(page).data.next_cursor,
    'if-match': first.headers.get('etag') ?? '',
    'idempotency-key': name,
  };
}
