import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IssuedApiKey } from '../../../shared/schemas/api-key.ts';
import type { Assistant } from '../../../shared/schemas/assistant.ts';
import type { Job } from '../../../shared/schemas/job.ts';
import type { RuntimeConfig } from '../../../shared/schemas/runtime-config.ts';
import type { Change, Version } from '../../../shared/schemas/version.ts';
import type { WebCall } from '../../../shared/schemas/web-call.ts';
import type { Client } from './client.ts';
import { question, walkKnowledgeBases } from './documents.ts';
import { type Envelope, eventually, expect, hasId } from './expect.ts';

/**
 * Calls every route of the service, as a user and as a worker. Names what it creates by `name`; its deletion in the cleanup covers the
 * delete routes. Throws UserError at the first step that fails.
 */
export async function walkRoutes(client: Client, name: string): Promise<void> {
  await walkGatewayErrors(client);
  await client.call('protected/check');
  await walkTools(client);
  const service = name.replaceAll(' ', '-');
  const assistant = await walkAssistants(client, name, service);
  const params = { assistant_id: assistant.id };
  await walkKnowledgeBases(client, assistant.id);
  const secret = await saveCredential(client, service);
  const worker = await createApiKey(client, name);

  const { body: config } = await client.call<Envelope<RuntimeConfig>>('assistants/runtime-config', {
    params,
    token: worker,
  });
  expect(config.data.credentials.llm?.api_key === secret, 'The worker should get the saved key');
  await client.call('assistants/start-call', { params, token: worker, body: {} });
  await walkWebCall(client, params, service);
  await walkCalls(client, assistant.id, worker);
  await walkUsage(client, assistant.id);
  await walkWebhooks(client, name);
  await client.callOthers();
}

/** Checks the errors for requests that match no route or carry no token. */
async function walkGatewayErrors(client: Client): Promise<void> {
  await client.callPath('GET', '/smoke-nowhere', 404);
  const headers = await client.callPath('PATCH', '/assistants', 405);
  expect(headers.get('allow')?.includes('POST') === true, 'A 405 should list the allowed methods');
  await client.call('protected/check', { token: null, expect: 401 });
}

/** Calls an operation as a tool, which is a request of the service to itself. */
async function walkTools(client: Client): Promise<void> {
  const params = { name: 'protected_check', arguments: {} };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const { body: answer } = await client.call<{ result: { isError: boolean } }>('mcp/serve', { body });
  expect(!answer.result.isError, 'A tool should answer what its operation answers');
}

async function walkAssistants(client: Client, name: string, service: string): Promise<Assistant> {
  const http = { url: 'https://example.com/' };
  const tools = [{ type: 'http', name: 'look_up', description: 'Looks something up', http }];
  const body = {
    name,
    system_instruction: 'You answer the phone.',
    llm: { llm_provider: service },
    transport: { livekit: { credential: service } },
    tools,
  };
  const create = { body, headers: { 'idempotency-key': randomUUID() } };
  const { body: created } = await client.call<Assistant>('assistants/create', create);
  const params = { assistant_id: created.id };
  const replay = await client.call<Assistant>('assistants/create', create);
  expect(replay.body.id === created.id, 'The same Idempotency-Key should create nothing new');

  const { body: listed } = await client.call<Assistant[]>('assistants/list', { query: { name } });
  expect(hasId(listed, created.id), 'The list of assistants should have the new one');
  const { headers } = await client.call<Assistant>('assistants/get', { params });
  await client.call('assistants/get', { params, headers: { 'if-none-match': headers.get('etag') ?? '' }, expect: 304 });
  const update = { params, body: { description: 'Made by the smoke test' } };
  const { body: updated } = await client.call<Assistant>('assistants/update', update);
  expect(updated.name === name, 'An update should keep the other fields');
  await client.call('assistants/language-config', { params });
  await client.call('assistants/call-tool', { params: { ...params, tool_name: 'look_up' }, body: {} });
  await walkVersions(client, params);
  // The smoke test has no account of a vendor, so the answer is that the vendor cannot be asked.
  const chat = { model: created.id, messages: [{ role: 'user', content: 'Hello' }] };
  await client.call('completions/create', { body: chat, expect: 424 });
  const asked = { assistant_id: created.id, query: 'When do you open?' };
  await client.call('search/answer', { body: asked, expect: 424 });
  const image = 'https://example.com/tooth.png';
  await client.call('vision/analyze', {
    body: { assistant_id: created.id, image, question: 'What is it?' },
    expect: 424,
  });
  await walkJob(client, chat);
  return created;
}

/** Asks an assistant by a job, and waits until it is done. The client's deadline is the timeout. */
async function walkJob(client: Client, chat: object): Promise<void> {
  const requests = [{ custom_id: 'one', body: chat }];
  const { body: created } = await client.call<Envelope<Job>>('jobs/create', { body: { requests } });
  const params = { job_id: created.data.job_id };
  for (;;) {
    const { body } = await client.call<Envelope<Job>>('jobs/get', { params });
    if (body.data.status === 'done') return expect(body.data.failed === 1, 'A job should answer each request');
    await sleep(500);
  }
}

/** Publishes an assistant twice, compares both versions, and rolls back. */
async function walkVersions(client: Client, params: { assistant_id: string }): Promise<void> {
  await client.call('versions/publish', { params, body: { note: 'First' } });
  await client.call('assistants/update', { params, body: { description: 'Changed by the smoke test' } });
  const { body: second } = await client.call<Envelope<Version>>('versions/publish', { params, body: {} });
  expect(second.data.version === 2, 'A changed draft should become a new version');
  const versions = { ...params, version: '2' };
  const { body: diff } = await client.call<Envelope<{ changes: Change[] }>>('versions/diff', { params: versions });
  expect(diff.data.changes.length === 1, 'Two versions should differ in the changed field');
  await client.call('versions/get', { params: { ...params, version: 'live' } });
  await client.call('versions/live', { params, body: { version: 1 } });
  await client.call('versions/restore', { params: { ...params, version: '1' }, body: {} });
  await client.call('versions/delete', { params: versions });
  const { body: listed } = await client.call<Envelope<{ versions: Version[] }>>('versions/list', { params });
  expect(listed.data.versions.length === 1, 'The list of versions should have the one that is left');
}

async function saveCredential(client: Client, service: string): Promise<string> {
  const secret = `smoke-${randomUUID()}`;
  await client.call('credentials/upsert', { body: { service_type: service, api_key: secret } });
  const { body } = await client.call<{ service_type: string }[]>('credentials/list');
  expect(
    body.some(({ service_type }) => service_type === service),
    'The list of credentials should have the new one',
  );
  expect(!JSON.stringify(body).includes(secret), 'The list of credentials should not show a key');
  return secret;
}

/** Lets a browser call, with a key that no server of LiveKit knows. */
async function walkWebCall(client: Client, params: { assistant_id: string }, name: string): Promise<void> {
  const api_key = JSON.stringify({ url: 'wss://livekit.invalid', api_key: name, api_secret: randomUUID() });
  await client.call('credentials/upsert', { body: { service_type: 'livekit', name, api_key } });
  const { body } = await client.call<Envelope<WebCall>>('web-calls/create', { params, body: {} });
  expect(body.data.token.split('.').length === 3, 'A web call should have a token');
}

/** Creates and rotates an API key for a worker. Returns its secret. */
async function createApiKey(client: Client, name: string): Promise<string> {
  const { body: old } = await client.call<IssuedApiKey>('api-keys/create', {
    body: { name, scopes: ['runtime', 'logs'] },
  });
  const { body: rotated } = await client.call<IssuedApiKey>('api-keys/rotate', { body: { id: old.data.id } });
  const { body } = await client.call<Envelope<{ api_keys: { id: string }[] }>>('api-keys/list');
  expect(hasId(body.data.api_keys, rotated.data.id), 'The list of API keys should have the new one');
  return rotated.data.secret ?? '';
}

async function walkCalls(client: Client, assistantId: string, worker: string): Promise<void> {
  const { body: saved } = await client.call<Envelope<{ id: string }>>('logs/create', {
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
  const { body: log } = await client.call<Envelope<{ logs: { content: string }[] }>>('logs/get', { params });
  expect(log.data.logs[1]?.content === question, 'The transcript should be what was said');

  const query = { assistant_id: assistantId };
  for (const id of ['logs/sessions', 'logs/list']) {
    await eventually(`${id} should have the new session`, async () => {
      const { body } = await client.call<Envelope<{ sessions: { session_id: string }[] }>>(id, { query });
      return body.data.sessions[0]?.session_id === saved.data.id;
    });
  }
  const { body: chats } = await client.call<Envelope<{ total: number }>>('chats/list', { query: { limit: '5' } });
  expect(chats.data.total > 0, 'The chats should be counted');
  const told: [string, Record<string, string>][] = [
    ['logs/audit', { subject_id: saved.data.id }],
    ['events/list', { after: saved.data.id, settled: 'false' }],
  ];
  for (const [id, query] of told) {
    const { body } = await client.call<Envelope<{ events: { type: string }[] }>>(id, { query });
    const types = body.data.events.map(({ type }) => type);
    expect(types.includes('call.completed'), `${id} should tell of the call`);
  }
}

/** Checks that the call was counted. Leaves the user's prices as they are. */
async function walkUsage(client: Client, assistantId: string): Promise<void> {
  const query = { assistant_id: assistantId };
  const { body: stats } = await client.call<Envelope<{ calls: number }>>('usage/stats', { query });
  expect(stats.data.calls === 1, 'The usage should count the call');
  const { body: grouped } = await client.call<Envelope<{ series: { key: string }[] }>>('analytics/usage', {
    query: { ...query, group_by: 'assistant', interval: 'month' },
  });
  expect(grouped.data.series[0]?.key === assistantId, 'The analytics should group the call by assistant');
  const { body: prices } = await client.call<Envelope<object>>('usage/prices');
  await client.call('usage/save-prices', { body: prices.data });
}

/** Receiver that no name server knows, so that nothing leaves the service. */
const nowhere = 'https://webhooks.invalid/smoke';

async function walkWebhooks(client: Client, name: string): Promise<void> {
  const from = new Date().toISOString();
  const { body: created } = await client.call<Envelope<{ id: string; secret: string }>>('webhooks/create', {
    body: { url: nowhere, events: ['assistant.deleted'], description: name },
  });
  const params = { webhook_id: created.data.id };
  const { body: listed } = await client.call<Envelope<{ webhooks: { id: string }[] }>>('webhooks/list');
  expect(hasId(listed.data.webhooks, created.data.id), 'The list of webhooks should have the new one');
  const { body: read } = await client.call('webhooks/get', { params });
  expect(!JSON.stringify(read).includes(created.data.secret), 'A webhook should not show its secret');
  await client.call('webhooks/rotate', { params, body: {} });
  const { body: test } = await client.call<Envelope<{ event_id: string }>>('webhooks/test', { params, body: {} });
  await eventually('webhooks/deliveries should have the test event', async () => {
    const { body } = await client.call<Envelope<{ deliveries: { event_id: string; attempts: number }[] }>>(
      'webhooks/deliveries',
      { params },
    );
    return body.data.deliveries.some(({ event_id, attempts }) => event_id === test.data.event_id && attempts > 0);
  });
  await client.call('webhooks/retry', { params: { ...params, event_id: test.data.event_id }, body: {} });
  await client.call('webhooks/replay', { params, body: { from } });
  await client.call('webhooks/update', { params, body: { enabled: false } });
}
