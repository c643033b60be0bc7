import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Credential } from '../../shared/schemas/credential.ts';
import { createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { findFiles } from '../support/files.ts';

const user = await createUser();
const other = await createOtherUser();
const path = '/user-credentials';

interface Saved {
  status: string;
  data: Credential;
}

const save = (fields: object, headers?: Record<string, string>, who = user) =>
  who.post<Saved>(path, { service_type: 'openai', api_key: 'sk-0123456789abcd', ...fields }, headers);

const list = async (who = user) => (await who.get<Credential[]>(path)).body;

const deleteAll = async (who = user) => {
  for (const { service_type, name } of await list(who)) {
    await who.delete(`${path}/${service_type}?name=${encodeURIComponent(name)}`);
  }
};

afterAll(async () => {
  await deleteAll();
  await deleteAll(other);
});

describe('saving a credential', () => {
  it('returns the credential with a masked key, and lists it', async () => {
    const { status, body } = await save({ name: 'main' });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      message: expect.any(String),
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        service_type: 'openai',
        name: 'main',
        masked_key: '****abcd',
        created_at: expect.stringMatching(/Z$/),
        updated_at: body.data.created_at,
      },
    });
    expect(await list()).toContainEqual(body.data);
  });

  it.each([
    ['12345678', '****'],
    ['123456789', '****6789'],
    ['  padded-key-9876 \n', '****9876'],
    ['🔑🔑🔑🔑🔑🔑🔑🔑🔑', '****🔑🔑🔑🔑'],
  ])('masks %j as %j', async (api_key, masked) => {
    expect((await save({ service_type: 'mask', name: 'm', api_key })).body.data.masked_key).toBe(masked);
  });

  it('replaces the credential with the same service and name, and keeps its id', async () => {
    const { body: first } = await save({ service_type: 'replace', name: 'a' });
    const { body: second } = await save({ service_type: 'replace', name: 'a', api_key: 'another-key-wxyz' });
    expect(second.data).toEqual({ ...first.data, masked_key: '****wxyz', updated_at: expect.any(String) });
    expect((await list()).filter(({ service_type }) => service_type === 'replace')).toEqual([second.data]);
  });

  it("without a name replaces the service's only credential, or else the one named default", async () => {
    const { body: only } = await save({ service_type: 'sole', name: 'eu' });
    expect((await save({ service_type: 'sole' })).body.data.id).toBe(only.data.id);
    await save({ service_type: 'sole', name: 'us' });
    const { body: fallback } = await save({ service_type: 'sole', name: null });
    expect(fallback.data.name).toBe('default');
    expect((await save({ service_type: 'sole' })).body.data.id).toBe(fallback.data.id);
    expect((await save({ service_type: 'first' })).body.data.name).toBe('default');
  });

  it('treats capitals and aliases of a vendor as the same service', async () => {
    const { body: one } = await save({ service_type: 'ElevenLabs' });
    const { body: same } = await save({ service_type: '11LABS' });
    expect(same.data).toMatchObject({ id: one.data.id, service_type: 'elevenlabs' });
  });

  it('creates one credential from concurrent requests', async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, i) => save({ service_type: 'race', api_key: `key-number-000${i}` })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const kept = (await list()).filter(({ service_type }) => service_type === 'race');
    expect(kept).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.data.id))).toEqual(new Set([kept[0]?.id]));
  });

  it('returns the first response again for the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await save({ service_type: 'again' }, key);
    await save({ service_type: 'again', api_key: 'changed-meanwhile' });
    const again = await save({ service_type: 'again' }, key);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    expect((await list()).find(({ service_type }) => service_type === 'again')?.masked_key).toBe('****hile');
    expect((await save({ service_type: 'again', api_key: 'other-key-12345' }, key)).status).toBe(409);
  });

  it.each([
    [{ api_key: '' }, 'body.api_key: string_too_short'],
    [{ api_key: ' \t\n ' }, 'body.api_key: string_too_short'],
    [{ api_key: 'x'.repeat(4_097) }, 'body.api_key: bytes_too_long'],
    [{ api_key: 'é'.repeat(2_049) }, 'body.api_key: bytes_too_long'],
    [{ api_key: 12345 }, 'body.api_key: string_type'],
    [{ api_key: null }, 'body.api_key: string_type'],
    [{ service_type: 'a/b' }, 'body.service_type: service_type'],
    [{ service_type: '-a' }, 'body.service_type: service_type'],
    [{ service_type: 'a'.repeat(65) }, 'body.service_type: service_type'],
    [{ service_type: 'ü' }, 'body.service_type: service_type'],
    [{ name: '  ' }, 'body.name: string_blank'],
    [{ name: 'n'.repeat(129) }, 'body.name: string_too_long'],
  ])('rejects %o', async (fields, fault) => {
    const reply = await save({ service_type: 'bad', ...fields });
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toEqual([fault]);
    expect((await list()).filter(({ service_type }) => service_type === 'bad')).toEqual([]);
  });

  it('accepts a key of 4,096 bytes, such as a service account', async () => {
    expect((await save({ service_type: 'large', api_key: 'k'.repeat(4_096) })).status).toBe(200);
  });
});

describe('listing credentials', () => {
  it('sorts by service and name, also across pages', async () => {
    for (const [service_type, name] of [
      ['b', 'z'],
      ['b-c', 'a'],
      ['a', 'ä'],
      ['b', '#'],
      ['a', 'a'],
    ]) {
      await save({ service_type, name }, {}, other);
    }
    const names = (await list(other)).map(({ service_type, name }) => `${service_type} ${name}`);
    expect(names).toEqual(['a a', 'a ä', 'b #', 'b z', 'b-c a']);
    const paged: string[] = [];
    for (let next = '?limit=2'; next; ) {
      const reply: Reply<Credential[]> = await other.get(`${path}/${next}`);
      paged.push(...reply.body.map(({ service_type, name }) => `${service_type} ${name}`));
      next = /<(.*)>/.exec(reply.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(paged).toEqual(names);
  });
});

describe('deleting a credential', () => {
  it('needs no name for the only credential of a service, and returns 409 for several', async () => {
    await save({ service_type: 'many', name: 'one' });
    const { body: two } = await save({ service_type: 'many', name: 'two' });
    const several = await user.delete(`${path}/many`);
    expect([several.status, listFaults(several)]).toEqual([409, ['query.name: conflict']]);
    expect(several.text).toMatch(/one, two/);
    expect((await user.delete<Saved>(`${path}/MANY/?name=two`)).body.data).toEqual({ id: two.data.id });
    expect((await user.delete(`${path}/many?name=two`)).status).toBe(404);
    expect((await user.delete(`${path}/many`)).status).toBe(200);
    expect((await user.delete(`${path}/many`)).status).toBe(404);
  });

  it("returns 404 for another user's credential", async () => {
    const { body } = await save({ service_type: 'mine', name: 'x' });
    for (const query of ['', '?name=x']) expect((await other.delete(`${path}/mine${query}`)).status).toBe(404);
    expect(await list()).toContainEqual(body.data);
  });
});

describe.skipIf(deployed)('the key of a credential', () => {
  it('appears in no response, log, database row, S3 object or idempotency record', async () => {
    const canary = `canary${randomUUID().replaceAll('-', '')}canary`;
    const key = { 'idempotency-key': randomUUID() };
    const replies = [
      await save({ service_type: 'canary', api_key: `${canary}-end4` }, key),
      await save({ service_type: 'canary', api_key: `${canary}-end4` }, key),
      await save({ service_type: 'canary', api_key: `${canary}-other` }, key),
      await save({ service_type: 'bad/slash', api_key: canary }),
      await save({ api_key: canary.repeat(100) }),
      await save({ api_key: [canary] }),
      await user.post(path, `{"api_key": "${canary}", `),
      await user.post(path, [canary]),
      await user.post('/assistants', { name: { api_key: canary } }),
      await user.get(path),
    ];
    for (const { text } of replies) expect(text).not.toContain(canary);
    expect(await findFiles(canary)).toEqual([]);
    const kept = (await findFiles('canary')).map((file) => basename(file)); // the service's name
    expect(kept.some((name) => name.startsWith('dynamodb.sqlite'))).toBe(true);
  });
});
