import { describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { createUser, listFaults } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';

const user = await createUser();

async function create() {
  const { body, headers } = await createAssistant(user);
  return { path: `/assistants/${body.id}`, body, etag: headers.get('etag') ?? '' };
}

describe('the ETag', () => {
  it('is the same for a write and the next read', async () => {
    const { path, etag } = await create();
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await user.get(path)).headers.get('etag')).toBe(etag);
    const { headers } = await user.put(path, { name: 'New' });
    expect(headers.get('etag')).not.toBe(etag);
    expect((await user.get(path)).headers.get('etag')).toBe(headers.get('etag'));
  });

  it('returns 304 without a body if the client has the current version', async () => {
    const { path, etag } = await create();
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await user.get(path, { 'if-none-match': known });
      expect([reply.status, reply.text]).toEqual([304, '']);
      expect(reply.headers.get('etag')).toBe(etag);
      expect(reply.headers.get('cache-control')).toBe('private, no-cache');
    }
    await user.put(path, { name: 'New' });
    expect((await user.get(path, { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('If-Match', () => {
  it.each(['put', 'delete'] as const)('accepts a %s with the current ETag', async (method) => {
    for (const condition of [(etag: string) => etag, (etag: string) => `W/${etag}`, () => '*']) {
      const { path, etag } = await create();
      const header = { 'if-match': condition(etag) };
      const { status } =
        method === 'put' ? await user.put(path, { name: 'B' }, header) : await user.delete(path, header);
      expect(status).toBe(200);
    }
  });

  it.each(['put', 'delete'] as const)(
    'rejects a %s with a stale or foreign ETag, and changes nothing',
    async (method) => {
      const { path, etag } = await create();
      const { body } = await user.put(path, { name: 'B' });
      for (const stale of [etag, '"foreign"', '"2"', '""', '"9999-x"']) {
        const header = { 'if-match': stale };
        const reply = method === 'put' ? await user.put(path, { name: 'C' }, header) : await user.delete(path, header);
        expect(reply.status).toBe(412);
        expect(listFaults(reply)).toEqual(['header.if-match: precondition_failed']);
      }
      expect((await user.get(path)).body).toEqual(body);
    },
  );

  it.each(['put', 'delete'] as const)('rejects a %s with a malformed ETag', async (method) => {
    const { path, etag } = await create();
    for (const malformed of ['1', etag.slice(1), `${etag}, x`, `${etag} ${etag}`, `"${'x'.repeat(500)}"`]) {
      const header = { 'if-match': malformed };
      const reply = method === 'put' ? await user.put(path, { name: 'C' }, header) : await user.delete(path, header);
      expect(reply.status).toBe(422);
      expect(listFaults(reply)).toEqual(['header.if-match: etag_parsing']);
    }
  });

  it('returns 404 for a deleted assistant', async () => {
    const { path, etag } = await create();
    await user.delete(path);
    expect((await user.put(path, { name: 'C' }, { 'if-match': etag })).status).toBe(404);
    expect((await user.delete(path, { 'if-match': etag })).status).toBe(404);
    expect((await user.delete(path, { 'if-match': '*' })).status).toBe(404);
  });
});

describe('concurrent writers', () => {
  it('keep all their changes to different fields', async () => {
    const { path } = await create();
    const changes = [{ name: 'N' }, { description: 'D' }, { voice: { speed: 2 } }, { llm: { temperature: 1 } }];
    const replies = await Promise.all(changes.map((change) => user.put(path, change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { body } = await user.get<Assistant>(path);
    expect(body).toMatchObject({ name: 'N', description: 'D', voice: { speed: 2 }, llm: { temperature: 1 } });
  });

  it('with If-Match: one succeeds, the others get 412', async () => {
    const { path, etag } = await create();
    const tries = Array.from({ length: 8 }, (_, i) =>
      user.put<Assistant>(path, { name: `N${i}` }, { 'if-match': etag }),
    );
    const replies = await Promise.all(tries);
    const winners = replies.filter(({ status }) => status === 200);
    expect(replies.map(({ status }) => status).filter((status) => status === 412)).toHaveLength(7);
    expect(winners).toHaveLength(1);
    expect((await user.get(path)).body).toEqual(winners[0]?.body);
  });
});
