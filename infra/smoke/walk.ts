import { randomUUID } from 'node:crypto';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import type { Client } from './client.ts';
import { knowledge, question } from './documents.ts';
import { type Data, eventually, expect, has } from './expect.ts';

/**
 * Goes along every route of the service, as a user and as a worker. What it makes is named by `name`, and undone by the
 * client's `clean`, which calls the routes that delete. Throws Problem at the first step that goes wrong.
 */
export async function walk(client: Client, name: string): Promise<void> {
  await gateway(client);
  await client.call('protected/check');
  const service = name.replaceAll(' ', '-');
  const assistant = await assistants(client, name, service);
  const params = { assistant_id: assistant.id };
  await knowledge(client, assistant.id);
  const secret = await credential(client, service);
  const worker = await apiKey(client, name);

  const { body: config } = await client.call<Data<RuntimeConfig>>('assistants/runtime-config', {
    params,
    token: worker,
  });
  expect(config.data.credentials.llm?.api_key === secret, 'The worker should read the key that was saved');
  await calls(client, assistant.id, worker);
}

/** What no route answers. */
async function gateway(client: Client): Promise<void> {
  await client.callPath('GET', '/smoke-nowhere', 404);
  const headers = await client.callPath('PATCH', '/assistants', 405);
  expect(headers.get('allow')?.includes('POST') === true, 'A 405 should name the methods that there are');
  await client.call('protected/check', { token: null, expect: 401 });
}

async function assistants(client: Client, name: string, service: string): Promise<Assistant> {
  const body = { name, system_instruction: 'You answer the phone.', llm: { llm_provider: service } };
  const create = { body, headers: { 'idempotency-key': randomUUID() } };
  const { body: made } = await client.call<Assistant>('assistants/create', create);
  const params = { assistant_id: made.id };
  client.later('assistants/delete', { params });
  const replay = await client.call<Assistant>('assistants/create', create);
  expect(replay.body.id === made.id, 'The same Idempotency-Key should make nothing new');

  const { body: listed } = await client.call<Assistant[]>('assistants/list', { query: { name } });
  expect(has(listed, made.id), 'The list of assistants should have the new one');
  const { headers } = await client.call<Assistant>('assistants/get', { params });
  await client.call('assistants/get', { params, headers: { 'if-none-match': headers.get('etag') ?? '' }, expect: 304 });
  const update = { params, body: { description: 'Made by the smoke test' } };
  const { body: updated } = await client.call<Assistant>('assistants/update', update);
  expect(updated.name === name, 'An update should leave what it does not name');
  await client.call('assistants/language-config', { params });
  return made;
}

async function credential(client: Client, service: string): Promise<string> {
  const secret = `smoke-${randomUUID()}`;
  await client.call('credentials/upsert', { body: { service_type: service, api_key: secret } });
  client.later('credentials/delete', { params: { service_type: service } });
  const { body } = await client.call<{ service_type: string }[]>('credentials/list');
  expect(
    body.some(({ service_type }) => service_type === service),
    'The list of credentials should have the new one',
  );
  expect(!JSON.stringify(body).includes(secret), 'The list of credentials should not show a key');
  return secret;
}

/** The secret of a new API key, as a worker has it. */
async function apiKey(client: Client, name: string): Promise<string> {
  const { body: old } = await client.call<IssuedApiKey>('api-keys/create', {
    body: { name, scopes: ['runtime', 'logs'] },
  });
  client.later('api-keys/delete', { params: { api_key_id: old.data.id } });
  const { body: rotated } = await client.call<IssuedApiKey>('api-keys/rotate', { body: { id: old.data.id } });
  client.later('api-keys/delete', { params: { api_key_id: rotated.data.id } });
  const { body } = await client.call<Data<{ api_keys: { id: string }[] }>>('api-keys/list');
  expect(has(body.data.api_keys, rotated.data.id), 'The list of API keys should have the new one');
  return rotated.data.secret ?? '';
}

async function calls(client: Client, assistantId: string, worker: string): Promise<void> {
  const { body: saved } = await client.call<Data<{ id: string }>>('logs/create', {
    token: worker,
    headers: { 'idempotency-key': randomUUID() },
    body: {
      assistant_id: assistantId,
      room_name: 'smoke',
      started_at: new Date().toISOString(),
      session_duration: 4,
      transcript: [
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: question },
      ],
    },
  });
  const params = { session_id: saved.data.id };
  client.later('logs/delete', { params });
  const { body: told } = await client.call<Data<{ logs: { content: string }[] }>>('logs/get', { params });
  expect(told.data.logs[1]?.content === question, 'The transcript should be what was said');

  const query = { assistant_id: assistantId };
  for (const id of ['logs/sessions', 'logs/list']) {
    await eventually(`${id} should have the new session`, async () => {
      const { body } = await client.call<Data<{ sessions: { session_id: string }[] }>>(id, { query });
      return body.data.sessions[0]?.session_id === saved.data.id;
    });
  }
  const { body: chats } = await client.call<Data<{ total: number }>>('chats/list', { query: { limit: '5' } });
  expect(chats.data.total > 0, 'The chats should be counted');
}
