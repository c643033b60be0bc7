import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { faults, newUser, otherUser } from '../support/api.ts';
import { createAssistant, minimal } from '../support/assistants.ts';

const user = await newUser();
const other = await otherUser();

const keyed = () => ({ 'idempotency-key': randomUUID() });
const namesOf = async (name: string) => (await user.get<Assistant[]>(`/assistants?name=${name}`)).body;

describe('a POST with an Idempotency-Key', () => {
  it('gives its first answer again, and makes nothing new', async () => {
    const name = randomUUID();
    const key = keyed();
    const first = await createAssistant(user, { name, extra: 1, voice: { spede: 1 } }, key);
    expect(first.headers.get('idempotent-replay')).toBeNull();
    await user.put(`/assistants/${first.body.id}`, { description: 'edited since' });
    const again = await user.post('/assistants/', { extra: 1, ...minimal, name, voice: { spede: 1 } }, key);
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true']);
    expect(again.text).toBe(first.text);
    for (const header of ['etag', 'location', 'x-ignored-fields', 'x-did-you-mean']) {
      expect(first.headers.get(header)).not.toBeNull();
      expect(again.headers.get(header)).toBe(first.headers.get(header));
    }
    expect(await namesOf(name)).toHaveLength(1);
  });

  it('is refused when the key was used for another body', async () => {
    const key = keyed();
    await createAssistant(user, {}, key);
    const name = randomUUID();
    const reply = await user.post('/assistants', { ...minimal, name }, key);
    expect(reply.status).toBe(409);
    expect(faults(reply)).toEqual(['header.idempotency-key: conflict']);
    expect(await namesOf(name)).toHaveLength(0);
  });

  it("has nothing to do with another user's key", async () => {
    const key = keyed();
    const mine = await createAssistant(user, {}, key);
    const theirs = await createAssistant(other, { name: 'Theirs' }, key);
    expect(theirs.status).toBe(200);
    expect(theirs.headers.get('idempotent-replay')).toBeNull();
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('remembers only success', async () => {
    const key = keyed();
    expect((await user.post('/assistants', { name: '' }, key)).status).toBe(422);
    expect((await createAssistant(user, {}, key)).status).toBe(200);
  });

  it('makes one of many that come at once', async () => {
    const name = randomUUID();
    const key = keyed();
    const replies = await Promise.all(Array.from({ length: 12 }, () => createAssistant(user, { name }, key)));
    const good = replies.filter(({ status }) => status === 200);
    const busy = replies.filter(({ status }) => status === 409);
    expect(good.length + busy.length).toBe(12);
    expect(new Set(good.map(({ text }) => text)).size).toBe(1);
    for (const { headers } of busy) expect(headers.get('retry-after')).toBe('1');
    expect(await namesOf(name)).toHaveLength(1);
  });

  it.each(['', 'x'.repeat(256)])('takes 1 to 255 characters', async (key) => {
    const reply = await user.post('/assistants', minimal, { 'idempotency-key': key });
    expect(reply.status).toBe(422);
    expect(faults(reply)).toEqual(['header.idempotency-key: string_length']);
  });

  it('takes 255 characters, and without a key makes a new one each time', async () => {
    expect((await createAssistant(user, {}, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(200);
    const [a, b] = [await createAssistant(user), await createAssistant(user)];
    expect(a.body.id).not.toBe(b.body.id);
  });
});
