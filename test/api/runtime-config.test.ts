import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { credentials as keyPair } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import { toCredentialKey, toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { findFiles } from '../support/files.ts';
import { upload } from '../support/knowledge-bases.ts';

type Read = Reply<{ data: RuntimeConfig }>;

const user = await createUser();
const worker = await createWorker(user, ['runtime']);

const toPath = (id: string) => `/assistants/${id}/runtime-config`;
const save = (service_type: string, name: string | undefined, api_key: string, who: Client = user) =>
  who.post<{ data: { id: string } }>('/user-credentials', { service_type, name, api_key });

/** Creates vendor names that no other test uses. */
function createVendorNames() {
  const mark = randomUUID().slice(0, 8);
  return { tts: `tts-${mark}`, llm: `llm-${mark}`, stt: `stt-${mark}` };
}

async function createVendorAssistant(
  { tts, llm, stt }: ReturnType<typeof createVendorNames>,
  credential: Record<string, unknown> = {},
) {
  const { body } = await createAssistant(user, {
    voice: { tts_provider: tts, ...credential },
    llm: { llm_provider: llm },
    transcriber: { stt_provider: stt },
  });
  return body;
}

const read = (id: string, headers?: Record<string, string>): Promise<Read> => worker.get(toPath(id), headers);

describe('the runtime configuration', () => {
  it('contains the assistant and the keys of its vendors, and is not cached', async () => {
    const { tts, llm, stt } = createVendorNames();
    const assistant = await createVendorAssistant({ tts: tts.toUpperCase(), llm, stt });
    await save(tts, undefined, 'key-of-the-voice');
    await save(llm, 'only', 'key-of-the-model');
    await save(stt, 'default', 'key-of-the-ears');
    await save(stt, 'another', 'not-this-one');
    const { status, headers, body } = await read(assistant.id);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      assistant,
      credentials: {
        voice: { service_type: tts, name: 'default', api_key: 'key-of-the-voice' },
        llm: { service_type: llm, name: 'only', api_key: 'key-of-the-model' },
        transcriber: { service_type: stt, name: 'default', api_key: 'key-of-the-ears' },
      },
      reasons: { voice: null, llm: null, transcriber: null },
      rendered: {
        system_instruction: assistant.system_instruction,
        first_message: assistant.first_message,
        missing: [],
      },
      tools: [],
      functions: [],
      mcp_servers: [],
      version: null,
      expires_at: expect.any(String),
    });
    expect(Date.parse(body.data.expires_at)).toBeGreaterThan(Date.now());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/);
  });

  it('contains the attached knowledge bases', async () => {
    const { id } = await createVendorAssistant(createVendorNames());
    const { body } = await upload(user, 'text');
    await user.put(`/assistants/${id}/knowledge-bases/${body.data.id}`, undefined);
    const { attached_knowledge_bases: attached } = (await read(id)).body.data.assistant;
    expect(attached.map((one) => one.id)).toEqual([body.data.id]);
  });

  it('searches the attached knowledge bases, unless the assistant says no', async () => {
    const { id } = await createVendorAssistant(createVendorNames());
    const listFunctions = async () => (await read(id)).body.data.functions.map(({ name }) => name);
    expect(await listFunctions()).toEqual([]);
    const { body } = await upload(user, 'text');
    await user.put(`/assistants/${id}/knowledge-bases/${body.data.id}`, undefined);
    expect(await listFunctions()).toEqual(['search_knowledge']);
    await user.put(`/assistants/${id}`, { tools: [{ type: 'search', name: 'look_up', limit: 3 }] });
    expect(await listFunctions()).toEqual(['look_up']);
    await user.put(`/assistants/${id}`, { tools: [{ type: 'search', enabled: false }] });
    expect(await listFunctions()).toEqual([]);
  });

  it('uses the credential that the assistant names', async () => {
    const names = createVendorNames();
    for (const name of ['default', 'a', 'b']) await save(names.tts, name, `key ${name}`);
    const { id } = await createVendorAssistant(names, { credential: 'b' });
    expect((await read(id)).body.data.credentials.voice).toMatchObject({ name: 'b', api_key: 'key b' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['there is none', {}, 'missing'],
    ['none has the name', { credential: 'b' }, 'missing'],
    ['there are several and none is the default', {}, 'ambiguous'],
    ['its name is not a string', { credential: { name: 'a' } }, 'invalid_name'],
    ['the provider cannot be a service', { tts_provider: 'Äö/ü' }, 'no_service'],
  ])('contains a reason instead of a key if %s, and the other keys', async (_, voice, type) => {
    const names = createVendorNames();
    if (type === 'ambiguous') for (const name of ['a', 'b']) await save(names.tts, name, 'secret-key');
    await save(names.llm, undefined, 'key-of-the-model');
    const { id } = await createVendorAssistant(names, voice);
    const { status, body } = await read(id);
    expect([status, body.data.credentials.voice]).toEqual([200, null]);
    expect(body.data.reasons.voice).toEqual({ type, msg: expect.stringMatching(/\w/) });
    expect(body.data.credentials.llm?.api_key).toBe('key-of-the-model');
  });

  it('keeps its ETag until the assistant or one of its credentials changes', async () => {
    const names = createVendorNames();
    const { id } = await createVendorAssistant(names);
    const tags: string[] = [];
    const expectNewTag = async () => {
      const { headers } = await read(id);
      const etag = headers.get('etag') ?? '';
      expect(tags).not.toContain(etag);
      tags.push(etag);
      const again = await read(id, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([304, '', 'no-store']);
    };
    await expectNewTag();
    await save(names.llm, undefined, 'first-key-of-the-model');
    await expectNewTag();
    await save(names.llm, undefined, 'second-key-of-the-model');
    await expectNewTag();
    await user.put(`/assistants/${id}`, { name: 'Other' });
    await expectNewTag();
    await user.delete(`/user-credentials/${names.llm}`);
    await expectNewTag();
  });

  it("needs an API key, and returns 404 for another user's assistant", async () => {
    const { id } = await createVendorAssistant(createVendorNames());
    const person: Reply = await user.get(toPath(id));
    expect([person.status, listFaults(person)]).toEqual([403, ['header.authorization: insufficient_scope']]);
    const stranger = await createWorker(await createOtherUser(), ['runtime']);
    for (const path of [toPath(id), toPath(randomUUID())]) expect((await stranger.get(path)).status).toBe(404);
  });
});

describe.skipIf(deployed)('a credential copied from another user', () => {
  it('cannot be decrypted, does not affect the others, and is in the audit log', async () => {
    const names = createVendorNames();
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint: inject('dynamoDb'), region: 'us-east-1', credentials: keyPair }),
    );
    const owner = toUserKey(url, user.sub);
    const id = randomUUID();
    const Item = { ...toCredentialKey(owner, names.tts, 'default'), id, service_type: names.tts, name: 'default' };
    const foreign = { masked_key: '****', secret: Buffer.from('nonsense'), created_at: '', updated_at: '' };
    await client.send(new PutCommand({ TableName: inject('tableName'), Item: { ...Item, ...foreign } }));
    const canary = `canary-${randomUUID()}`;
    const { body: llm } = await save(names.llm, undefined, canary);
    const assistant = await createVendorAssistant(names);

    const { status, headers, body } = await read(assistant.id);
    expect([status, body.data.credentials.voice, body.data.reasons.voice?.type]).toEqual([200, null, 'undecryptable']);
    expect(body.data.credentials.llm?.api_key).toBe(canary);
    expect(headers.get('etag')).toBeNull(); // so that the worker requests it again
    const request = headers.get('x-request-id') ?? '';
    const lines = () =>
      readFileSync(join(inject('dataDir'), 'logs', 'functions.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(request))
        .map((line) => JSON.parse(line).message)
        .filter((message) => message?.audit);
    await expect.poll(() => lines().length).toBe(3);
    const common = { audit: 'lease', user: owner.slice(0, 12), api_key: expect.any(String), assistant: assistant.id };
    expect(lines()).toMatchObject([
      { ...common, role: 'voice', credential: id, service_type: names.tts, outcome: 'undecryptable' },
      { ...common, role: 'llm', credential: llm.data.id, service_type: names.llm, outcome: 'handed over' },
      { ...common, role: 'transcriber', outcome: 'missing' },
    ]);
    for (const line of lines()) expect(line).not.toHaveProperty('name');
    expect(JSON.stringify(lines())).not.toContain(owner);
    expect(await findFiles(canary)).toEqual([]);
  });
});
