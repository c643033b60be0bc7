import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../../infra/data/in-parallel.ts';
import { lookAt } from '../../infra/data/verifier.ts';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Session } from '../../shared/schemas/session.ts';
import { userKey } from '../../shared/store/keys.ts';
import { write } from '../chaos/report.ts';
import { settings } from '../chaos/settings.ts';
import { type Client, deployed, newUser, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { turns } from '../support/everything.ts';
import { placeAt } from '../support/recovery.ts';

/** How many there are in the tests, and how many by `npm run chaos -- --races`. */
const many = (few: number, all: number) => (settings.all ? all : few);
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const statuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();

/** Sends a request again while it is told to, as a client does. */
async function patiently<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 409 || reply.headers.get('retry-after') === null) return reply;
  }
}

describe.skipIf(deployed)('at once', () => {
  let user: Client;
  beforeAll(async () => {
    user = await newUser();
  });

  const ended: { name: string; isGood: boolean }[] = [];
  afterEach(({ task: { name, result } }) => void ended.push({ name, isGood: result?.state !== 'fail' }));
  afterAll(() => {
    const failures = ended.filter(({ isGood }) => !isGood).map(({ name }) => name);
    write({ what: 'races', cases: ended.length, failures });
  });

  /** All that the user has hangs together, whoever was faster. */
  async function expectSound(): Promise<void> {
    const place = placeAt();
    const owner = userKey(place.issuer, user.sub);
    const { faults } = await lookAt(place, owner, { graceMs: 0, secrets: false });
    expect(faults).toEqual([]);
    await place.close();
  }
  const create = async () => (await user.post<Assistant>('/assistants', minimal)).body.id;
  /** A knowledge base whose file never comes: it can be attached all the same. */
  const announce = async () => {
    const file = { file_name: 'notes.txt', content_type: 'text/plain', size_bytes: 1 };
    const made = await user.post<{ data: { knowledge_base: { id: string } } }>(
      '/assistants/knowledge-base/uploads',
      file,
    );
    return made.body.data.knowledge_base.id;
  };

  it('writers of different fields all keep their change', async () => {
    const id = await create();
    const writers = numbers(many(12, 50));
    const change = (i: number) =>
      patiently(() => user.put<Assistant>(`/assistants/${id}`, { llm: { [`field_${i}`]: i } }));
    const replies = await Promise.all(writers.map(change));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    const { body } = await user.get<Assistant>(`/assistants/${id}`);
    expect(body.llm).toMatchObject(Object.fromEntries(writers.map((i) => [`field_${i}`, i])));
  });

  it('of writers who have read the same revision, exactly one wins', async () => {
    const id = await create();
    for (const round of numbers(many(2, 50))) {
      const { headers } = await user.get(`/assistants/${id}`);
      const etag = { 'if-match': headers.get('etag') ?? '' };
      const change = (i: number) => user.put(`/assistants/${id}`, { name: `${round} ${i}` }, etag);
      const replies = await Promise.all(numbers(10).map(change));
      expect(statuses(replies)).toEqual([200, ...Array(9).fill(412)]);
    }
  });

  it('creations under one Idempotency-Key make one', async () => {
    const name = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const make = () => patiently(() => user.post<Assistant>('/assistants', { ...minimal, name }, key));
    const replies = await Promise.all(numbers(many(20, 100)).map(make));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await user.get<Assistant[]>(`/assistants?name=${name}`)).body).toHaveLength(1);
  });

  it.each(['the knowledge base', 'the assistant'])(
    'attaching and deleting %s leave no half of an attachment',
    async (what) => {
      const seen = new Set<string>();
      await inParallel(numbers(many(5, 100)), 4, async () => {
        const [assistant, document] = [await create(), await announce()];
        const path = `/assistants/${assistant}/knowledge-bases/${document}`;
        const gone =
          what === 'the assistant' ? `/assistants/${assistant}` : `/assistants/knowledge-base/${document}?force=true`;
        const [attached, deleted] = await Promise.all([user.put(path, undefined), patiently(() => user.delete(gone))]);
        expect(deleted.status).toBe(200);
        seen.add(String(attached.status));
      });
      expect(['200', '404']).toEqual(expect.arrayContaining([...seen]));
      await expectSound();
    },
  );

  it('detaching and deleting the knowledge base leave no half of an attachment', async () => {
    await inParallel(numbers(many(4, 100)), 4, async () => {
      const [assistant, document] = [await create(), await announce()];
      const path = `/assistants/${assistant}/knowledge-bases/${document}`;
      await user.put(path, undefined);
      const replies = await Promise.all([
        user.delete(path),
        user.delete(`/assistants/knowledge-base/${document}?force=true`),
      ]);
      expect(['200,200', '200,404']).toContain(String(statuses(replies)));
      expect((await user.get<Assistant>(`/assistants/${assistant}`)).body.attached_knowledge_bases).toEqual([]);
    });
    await expectSound();
  });

  it.each([{ name: 'mine' }, {}])('saving a credential many times makes one (%o)', async (named) => {
    const service_type = `vendor-${randomUUID()}`;
    const save = (i: number) =>
      patiently(() =>
        user.post<{ data: { id: string } }>('/user-credentials', {
          service_type,
          ...named,
          api_key: `sk-${i}-${randomUUID()}`,
        }),
      );
    const replies = await Promise.all(numbers(many(8, 50)).map(save));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    const { text } = await user.get('/user-credentials');
    expect(text.split(service_type)).toHaveLength(2);
    await expectSound();
  });

  it('rotating and revoking an API key end in one of two ways', async () => {
    await inParallel(numbers(many(4, 100)), 4, async () => {
      const key = { name: 'Worker', scopes: ['read'] };
      const { id } = (await user.post<IssuedApiKey>('/api-keys', key)).body.data;
      const rotate = () => user.post<IssuedApiKey>('/api-keys/rotate', { id, grace_seconds: 60 });
      const [one, other, revoked] = await Promise.all([rotate(), rotate(), user.delete(`/api-keys/${id}`)]);
      expect(revoked.status).toBe(200);
      const made = [one, other].filter(({ status }) => status === 200);
      expect(made.length).toBeLessThanOrEqual(1);
      const { text } = await user.get('/api-keys');
      expect(text).not.toContain(`"id":"${id}"`);
      for (const { body } of made) expect(text).toContain(body.data.id);
      for (const { body } of made) await user.delete(`/api-keys/${body.data.id}`);
    });
    await expectSound();
  });

  it('a call that is told many times is one session', async () => {
    const assistant_id = await create();
    const { body: before } = await user.get<{ data: { total: number } }>('/chat');
    const calls = many(2, 30);
    await inParallel(numbers(calls), 2, async () => {
      const log = { assistant_id, room_name: randomUUID(), transcript: turns(300) };
      const tell = () => patiently(() => user.post<{ data: { id: string } }>('/logs/call-logs', log));
      const replies = await Promise.all(numbers(6).map(tell));
      expect(new Set(statuses(replies))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    });
    const { body: after } = await user.get<{ data: { total: number } }>('/chat');
    expect(after.data.total).toBe(before.data.total + calls);
    await expectSound();
  });

  it('a call that is told further and deleted is whole, or gone', async () => {
    const assistant_id = await create();
    await inParallel(numbers(many(4, 100)), 4, async () => {
      const log = { assistant_id, room_name: randomUUID(), transcript: turns(300) };
      const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
      const further = { ...log, transcript: [...log.transcript, ...turns(1)] };
      const [told, deleted] = await Promise.all([
        patiently(() => user.post('/logs/call-logs', further)),
        patiently(() => user.delete(`/logs/chat-logs/${body.data.id}`)),
      ]);
      expect([told.status, deleted.status]).toEqual([200, 200]);
    });
    await expectSound();
  });

  it('a walk through the pages meets each session of its beginning once, while others arrive', async () => {
    user = await newUser();
    const [some, others] = [40, many(60, 1000)];
    const assistant_id = await create();
    const arrive = () => user.post('/logs/call-logs', { assistant_id, room_name: randomUUID(), transcript: turns(1) });
    await inParallel(numbers(some), 6, async () => void (await arrive()));
    type Page = { data: { sessions: Session[]; next_cursor: string | null } };
    const walk = async (limit: number) => {
      const met: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const after: string = cursor && `&cursor=${cursor}`;
        const { body }: Reply<Page> = await user.get(`/logs/chat-sessions?limit=${limit}${after}`);
        met.push(...body.data.sessions.map(({ session_id }) => session_id));
        cursor = body.data.next_cursor;
      }
      return met;
    };
    const there = await walk(1000);
    let arrived = 0;
    const arriving = inParallel(numbers(others), 5, async () => {
      await arrive();
      arrived += 1;
    });
    do {
      const met = await walk(10);
      expect(new Set(met).size).toBe(met.length);
      expect(there.filter((id) => !met.includes(id))).toEqual([]);
    } while (arrived < others);
    await arriving;
    expect(new Set(await walk(10)).size).toBe(some + others);
    await expectSound();
  });
});
