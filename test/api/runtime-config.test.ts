import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { credentials as keyPair } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import { credentialKey, userKey } from '../../shared/store/keys.ts';
import { type Client, deployed, faults, newUser, otherUser, type Reply } from '../support/api.ts';
import { workerOf } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { found } from '../support/files.ts';
import { upload } from '../support/knowledge-bases.ts';

type Read = Reply<{ data: RuntimeConfig }>;

const user = await newUser();
const worker = await workerOf(user, ['runtime']);

const pathOf = (id: string) => `/assistants/${id}/runtime-config`;
const save = (service_type: string, name: string | undefined, api_key: string, who: Client = user) =>
  who.post<{ data: { id: string } }>('/user-credentials', { service_type, name, api_key });

/** Vendors whom no other test has. */
function vendors() {
  const mark = randomUUID().slice(0, 8);
  return { tts: `tts-${mark}`, llm: `llm-${mark}`, stt: `stt-${mark}` };
}

async function assistantOf({ tts, llm, stt }: ReturnType<typeof vendors>, credential: Record<string, unknown> = {}) {
  const { body } = await createAssistant(user, {
    voice: { tts_provider: tts, ...credential },
    llm: { llm_provider: llm },
    transcriber: { stt_provider: stt },
  });
  return body;
}

const read = (id: string, headers?: Record<string, string>): Promise<Read> => worker.get(pathOf(id), headers);

describe("the worker's read", () => {
  it('gives the assistant and the keys of its vendors, in one answer that nothing keeps', async () => {
    const { tts, llm, stt } = vendors();
    const assistant = await assistantOf({ tts: tts.toUpperCase(), llm, stt });
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
      expires_at: expect.any(String),
    });
    expect(Date.parse(body.data.expires_at)).toBeGreaterThan(Date.now());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{22}"$/);
  });

  it('tells what is attached to the assistant', async () => {
    const { id } = await assistantOf(vendors());
    const { body } = await upload(user, 'text');
    await user.put(`/assistants/${id}/knowledge-bases/${body.data.id}`, undefined);
    const { attached_knowledge_bases: attached } = (await read(id)).body.data.assistant;
    expect(attached.map((one) => one.id)).toEqual([body.data.id]);
  });

  it('takes the credential that the sub-object names', async () => {
    const names = vendors();
    for (const name of ['default', 'a', 'b']) await save(names.tts, name, `key ${name}`);
    const { id } = await assistantOf(names, { credential: 'b' });
    expect((await read(id)).body.data.credentials.voice).toMatchObject({ name: 'b', api_key: 'key b' });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['there is none', {}, 'missing'],
    ['none has the name', { credential: 'b' }, 'missing'],
    ['there are several and none is the default', {}, 'ambiguous'],
    ['its name is no text', { credential: { name: 'a' } }, 'invalid_name'],
    ['the provider cannot be a service', { tts_provider: 'Äö/ü' }, 'no_service'],
  ])('says why there is no key where %s, and gives the others', async (_, voice, type) => {
    const names = vendors();
    if (type === 'ambiguous') for (const name of ['a', 'b']) await save(names.tts, name, 'secret-key');
    await save(names.llm, undefined, 'key-of-the-model');
    const { id } = await assistantOf(names, voice);
    const { status, body } = await read(id);
    expect([status, body.data.credentials.voice]).toEqual([200, null]);
    expect(body.data.reasons.voice).toEqual({ type, msg: expect.stringMatching(/\w/) });
    expect(body.data.credentials.llm?.api_key).toBe('key-of-the-model');
  });

  it('is current until the assistant or one of its credentials changes', async () => {
    const names = vendors();
    const { id } = await assistantOf(names);
    const tags: string[] = [];
    const changed = async () => {
      const { headers } = await read(id);
      const etag = headers.get('etag') ?? '';
      expect(tags).not.toContain(etag);
      tags.push(etag);
      const again = await read(id, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('cache-control')]).toEqual([304, '', 'no-store']);
    };
    await changed();
    await save(names.llm, undefined, 'first-key-of-the-model');
    await changed();
    await save(names.llm, undefined, 'second-key-of-the-model');
    await changed();
    await user.put(`/assistants/${id}`, { name: 'Other' });
    await changed();
    await user.delete(`/user-credentials/${names.llm}`);
    await changed();
  });

  it("is a worker's alone, and reaches nobody else's assistant", async () => {
    const { id } = await assistantOf(vendors());
    const person: Reply = await user.get(pathOf(id));
    expect([person.status, faults(person)]).toEqual([403, ['header.authorization: insufficient_scope']]);
    const stranger = await workerOf(await otherUser(), ['runtime']);
    for (const path of [pathOf(id), pathOf(randomUUID())]) expect((await stranger.get(path)).status).toBe(404);
  });
});

describe.skipIf(deployed)('a credential that was copied from another user', () => {
  it('does not decrypt, the rest is answered, and the audit has a line of each', async () => {
    const names = vendors();
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const client = DynamoDBDocumentClient.from(
      new DynamoDBClient({ endpoint: inject('dynamoDb'), region: 'us-east-1', credentials: keyPair }),
    );
    const owner = userKey(url, user.sub);
    const id = randomUUID();
    const Item = { ...credentialKey(owner, names.tts, 'default'), id, service_type: names.tts, name: 'default' };
    const foreign = { masked_key: '****', secret: Buffer.from('nonsense'), created_at: '', updated_at: '' };
    await client.send(new PutCommand({ TableName: inject('tableName'), Item: { ...Item, ...foreign } }));
    const canary = `canary-${randomUUID()}`;
    const { body: llm } = await save(names.llm, undefined, canary);
    const assistant = await assistantOf(names);

    const { status, headers, body } = await read(assistant.id);
    expect([status, body.data.credentials.voice, body.data.reasons.voice?.type]).toEqual([200, null, 'undecryptable']);
    expect(body.data.credentials.llm?.api_key).toBe(canary);
    expect(headers.get('etag')).toBeNull(); // so that it is asked for again
    const request = headers.get('x-request-id') ?? '';
    const lines = () =>
      readFileSync(join(inject('dataDir'), 'logs', 'functions.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(request))
        .map((line) => JSON.parse(line).message)
        .filter((message) => message?.audit);
    await expect.poll(() => lines().length).toBe(3);
    const who = { audit: 'lease', user: owner.slice(0, 12), api_key: expect.any(String), assistant: assistant.id };
    expect(lines()).toMatchObject([
      { ...who, role: 'voice', credential: id, service_type: names.tts, outcome: 'undecryptable' },
      { ...who, role: 'llm', credential: llm.data.id, service_type: names.llm, outcome: 'handed over' },
      { ...who, role: 'transcriber', outcome: 'missing' },
    ]);
    for (const line of lines()) expect(line).not.toHaveProperty('name');
    expect(JSON.stringify(lines())).not.toContain(owner);
    expect(await found(canary)).toEqual([]);
  });
});
