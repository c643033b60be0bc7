import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, createOtherUser, createUser, listFaults, type Reply } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';

const user = await createUser();
const tag = randomUUID();

const ids: string[] = [];
for (const name of ['Alpha', 'beta', 'ALPHABET', 'gamma', 'Delta']) {
  ids.unshift((await createAssistant(user, { name: `${tag} ${name}` })).body.id);
}

/** Follows the links from a first page. Returns the ids of each page. */
async function listPages(client: Client, path: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let next: string | undefined = path; next; ) {
    const reply: Reply<Assistant[]> = await client.get(next);
    expect(reply.status).toBe(200);
    pages.push(reply.body.map(({ id }) => id));
    const [, link]: string[] = /^<(\?.*)>; rel="next"$/.exec(reply.headers.get('link') ?? '') ?? [];
    next = link && `/assistants${link}`;
  }
  return pages;
}

describe('listing assistants', () => {
  it('returns an array, newest first, with the same assistants as GET', async () => {
    const { body } = await user.get<Assistant[]>(`/assistants/?name=${tag}`);
    expect(body.map(({ id }) => id)).toEqual(ids);
    for (const assistant of body) expect((await user.get(`/assistants/${assistant.id}`)).body).toEqual(assistant);
  });

  it('returns each assistant once across linked pages of any size', async () => {
    for (const limit of [1, 2, 3, 1000]) {
      const pages = await listPages(user, `/assistants?name=${tag}&limit=${limit}`);
      expect(pages.flat().filter((id) => ids.includes(id))).toEqual(ids);
      expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(limit);
    }
  });

  it('filters by part of the name, ignoring case, and keeps the filter in the link', async () => {
    const found = await listPages(user, `/assistants?limit=1&name=${encodeURIComponent(`${tag} alpha`)}`);
    expect(found.flat()).toEqual([ids[2], ids[4]]);
  });

  it('ignores accents in the name filter', async () => {
    const traveller = await createUser();
    const names = ['Köln', 'Koln'];
    for (const name of names) await createAssistant(traveller, { name });
    for (const name of names) {
      const { body } = await traveller.get<Assistant[]>(`/assistants?name=${encodeURIComponent(name.toUpperCase())}`);
      expect(body.map(({ name }) => name)).toEqual(names.toReversed());
    }
  });

  it('repeats only known parameters in the link', async () => {
    const { headers } = await user.get(`/assistants?${'~'.repeat(7_000)}=1&x=${'~'.repeat(50)}&limit=1&name=${tag}`);
    const link = /^<\?(.*)>/.exec(headers.get('link') ?? '')?.[1];
    expect([...new URLSearchParams(link).keys()].toSorted()).toEqual(['cursor', 'limit', 'name']);
  });

  it('skips and repeats nothing after inserts and deletes between two pages', async () => {
    const first = await user.get<Assistant[]>(`/assistants?limit=2`);
    const cursor = /<\?(.*)>/.exec(first.headers.get('link') ?? '')?.[1];
    const { body: late } = await createAssistant(user, { name: 'late' });
    await user.delete(`/assistants/${first.body[1]?.id}`);
    ids.splice(ids.indexOf(first.body[1]?.id ?? ''), 1);
    const second = await user.get<Assistant[]>(`/assistants?${cursor}`);
    expect(second.body.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(second.text).not.toContain(late.id);
  });

  it("rejects another user's cursor", async () => {
    const { headers } = await user.get('/assistants?limit=1');
    const link = /<(\?.*)>/.exec(headers.get('link') ?? '')?.[1];
    const stolen = await (await createOtherUser()).get(`/assistants${link}`);
    expect(stolen.status).toBe(422);
    expect(listFaults(stolen)).toEqual(['query.cursor: cursor']);
  });

  it('returns no link on the last page, even if it is full', async () => {
    const mine = await createUser();
    for (let i = 0; i < 2; i++) await createAssistant(mine);
    expect((await listPages(mine, '/assistants?limit=2')).at(0)).toHaveLength(2);
    expect((await mine.get('/assistants?limit=2')).headers.get('link')).toBeNull();
  });

  it('ends a page before the response limit of Lambda', async () => {
    const mine = await createUser();
    const tools = Array.from({ length: 6_000 }, (_, i) => ({ name: `t${i % 10}`, x: '"""""""' })); // quotes are escaped twice
    for (let i = 0; i < 21; i++) expect((await createAssistant(mine, { llm: { tools } })).status).toBe(200);
    const first = await mine.get('/assistants');
    expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body: first.text }))).toBeLessThan(6 * 2 ** 20 - 10_000);
    const pages = await listPages(mine, '/assistants');
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(pages.flat()).size).toBe(21);
  });
});
