import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { supportsIdempotencyKey } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createOtherUser, createUser, deployed, listFaults } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { createEverything } from '../support/create-everything.ts';
import { callRoute, type OwnedValues } from '../support/tenancy.ts';
import { eventually } from '../support/timeouts.ts';

const user = await createUser();
const other = await createOtherUser();

const createKeyHeader = () => ({ 'idempotency-key': randomUUID() });
const findByName = async (name: string) => (await user.get<Assistant[]>(`/assistants?name=${name}`)).body;

describe('a POST with an Idempotency-Key', () => {
  it('returns its first response again and creates nothing', async () => {
    const odd = { extra: 1, voice: { spede: 1 }, variables: {}, first_message: 'Hello {{ custmer }}' };
    // A 503 of a busy machine may leave its result to be replayed, so each attempt has another key.
    const { first, name, key } = await eventually(async () => {
      const name = randomUUID();
      const key = createKeyHeader();
      const first = await user.post<Assistant>('/assistants', { ...minimal, ...odd, name }, key);
      expect(first.status).toBe(200);
      return { first, name, key };
    });
    expect(first.headers.get('idempotent-replay')).toBeNull();
    await user.put(`/assistants/${first.body.id}`, { description: 'edited since' });
    const again = await user.post('/assistants/', { ...minimal, ...odd, name }, key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    for (const header of ['etag', 'location', 'x-ignored-fields', 'x-did-you-mean', 'x-template-unknown']) {
      expect(first.headers.get(header)).not.toBeNull();
      expect(again.headers.get(header)).toBe(first.headers.get(header));
    }
    expect(await findByName(name)).toHaveLength(1);
  });

  it('returns 409 if the key was used with another body', async () => {
    const key = createKeyHeader();
    await createAssistant(user, {}, key);
    const name = randomUUID();
    const reply = await user.post('/assistants', { ...minimal, name }, key);
    expect(reply.status).toBe(409);
    expect(listFaults(reply)).toEqual(['header.idempotency-key: conflict']);
    expect(await findByName(name)).toHaveLength(0);
  });

  it("is independent of another user's key", async () => {
    const key = createKeyHeader();
    const mine = await createAssistant(user, {}, key);
    const theirs = await createAssistant(other, { name: 'Theirs' }, key);
    expect(theirs.status).toBe(200);
    expect(theirs.headers.get('idempotent-replay')).toBeNull();
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('does not remember a failure', async () => {
    const key = createKeyHeader();
    expect((await user.post('/assistants', { name: '' }, key)).status).toBe(422);
    expect((await createAssistant(user, {}, key)).status).toBe(200);
  });

  it('creates one assistant from concurrent requests', async () => {
    const name = randomUUID();
    const key = createKeyHeader();
    const replies = await Promise.all(Array.from({ length: 12 }, () => createAssistant(user, { name }, key)));
    const good = replies.filter(({ status }) => status === 200);
    const busy = replies.filter(({ status }) => status === 409);
    expect(good.length + busy.length).toBe(12);
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    for (const { headers } of busy) expect(headers.get('retry-after')).toBe('1');
    expect(await findByName(name)).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(256)])('returns 422 if the key is empty or longer than 255 characters', async (key) => {
    const reply = await user.post('/assistants', minimal, { 'idempotency-key': key });
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toEqual(['header.idempotency-key: string_length']);
  });

  it('accepts a key of 255 characters, and creates an assistant each time without a key', async () => {
    expect((await createAssistant(user, {}, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(200);
    const [a, b] = [await createAssistant(user), await createAssistant(user)];
    expect(a.body.id).not.toBe(b.body.id);
  });
});

describe.skipIf(deployed)('every route that takes an Idempotency-Key', () => {
  let everything: OwnedValues;
  beforeAll(async () => {
    everything = await createEverything(user);
  });

  it.each(routes.filter(supportsIdempotencyKey))('repeats its first result: $id', async (route) => {
    const { cursor: _, 'if-match': __, ...things } = everything;
    const key = randomUUID();
    /** Sends the request as a client does: again with the same key if a busy machine answers 503. */
    const send = () =>
      eventually(async () => {
        const reply = await callRoute(user, route, { ...things, 'idempotency-key': key });
        if (reply.status === 503) throw new Error(reply.text);
        return reply;
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, first.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
    expect([second.status, second.headers.get('idempotent-replay')]).toEqual([200, 'true']);
  });
});
