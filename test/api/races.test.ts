import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import { verifyUser } from '../../infra/commands/data/verify/verifier.ts';
import type { IssuedApiKey } from '../../shared/schemas/api-key.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Session } from '../../shared/schemas/session.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { writeReport } from '../chaos/report.ts';
import { settings } from '../chaos/settings.ts';
import { type Client, createUser, deployed, type Reply } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { buildTurns } from '../support/create-everything.ts';
import { createDeployment } from '../support/recovery.ts';

/** Chooses a count for the tests, or a larger one for `npm run chaos -- --races`. */
const chooseCount = (few: number, all: number) => (settings.all ? all : few);
const range = (count: number) => Array.from({ length: count }, (_, i) => i);
const listStatuses = (replies: Reply[]) => replies.map(({ status }) => status).sort();

/** Retries a request while it returns 409 with Retry-After. */
async function retryOnConflict<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  for (;;) {
    const reply = await send();
    if (reply.status !== 409 || reply.headers.get('retry-after') === null) return reply;
  }
}

describe.skipIf(deployed)('concurrent requests', () => {
  let user: Client;
  beforeAll(async () => {
    user = await createUser();
  });

  const results: { name: string; isGood: boolean }[] = [];
  afterEach(({ task: { name, result } }) => void results.push({ name, isGood: result?.state !== 'fail' }));
  afterAll(() => {
    const failures = results.filter(({ isGood }) => !isGood).map(({ name }) => name);
    writeReport({ what: 'races', cases: results.length, failures });
  });

  /** Expects that the user's data passes all integrity rules. */
  async function expectConsistent(): Promise<void> {
    const place = createDeployment();
    const owner = toUserKey(place.issuer, user.sub);
    const { faults } = await verifyUser(place, owner, { graceMs: 0, secrets: false });
    expect(faults).toEqual([]);
    await place.close();
  }
  const create = async () => (await user.post<Assistant>('/assistants', minimal)).body.id;
  /** Creates a knowledge base without uploading its file. It can still be attached. */
  const requestUpload = async () => {
    const file = { file_name: 'notes.txt', content_type: 'text/plain', size_bytes: 1 };
    const made = await user.post<{ data: { knowledge_base: { id: string } } }>(
      '/assistants/knowledge-base/uploads',
      file,
    );
    return made.body.data.knowledge_base.id;
  };

  it('that delete a knowledge base delete it once, and tell it once', async () => {
    const id = await requestUpload();
    const remove = () => retryOnConflict(() => user.delete(`/assistants/knowledge-base/${id}?force=true`));
    const statuses = new Set(listStatuses(await Promise.all(range(chooseCount(8, 50)).map(remove))));
    expect([...statuses].filter((status) => ![200, 404].includes(status))).toEqual([]);
    expect(statuses).toContain(200);
    const { body } = await user.get<{ data: { events: { subject: { id: string } }[] } }>(
      '/events?settled=false&type=knowledge_base.deleted',
    );
    expect(body.data.events.filter(({ subject }) => subject.id === id)).toHaveLength(1);
    await expectConsistent();
  });

  it('that update different fields all keep their changes', async () => {
    const id = await create();
    const writers = range(chooseCount(12, 50));
    const change = (i: number) =>
      retryOnConflict(() => user.put<Assistant>(`/assistants/${id}`, { llm: { [`field_${i}`]: i } }));
    const replies = await Promise.all(writers.map(change));
    expect(new Set(listStatuses(replies))).toEqual(new Set([200]));
    const { body } = await user.get<Assistant>(`/assistants/${id}`);
    expect(body.llm).toMatchObject(Object.fromEntries(writers.map((i) => [`field_${i}`, i])));
  });

  it('that update the same revision succeed exactly once', async () => {
    const id = await create();
    for (const round of range(chooseCount(2, 50))) {
      const { headers } = await user.get(`/assistants/${id}`);
      const etag = { 'if-match': headers.get('etag') ?? '' };
      const change = (i: number) => user.put(`/assistants/${id}`, { name: `${round} ${i}` }, etag);
      const replies = await Promise.all(range(10).map(change));
      expect(listStatuses(replies)).toEqual([200, ...Array(9).fill(412)]);
    }
  });

  it('with one Idempotency-Key create one assistant', async () => {
    const name = randomUUID();
    const key = { 'idempotency-key': randomUUID() };
    const make = () => retryOnConflict(() => user.post<Assistant>('/assistants', { ...minimal, name }, key));
    const replies = await Promise.all(range(chooseCount(20, 100)).map(make));
    expect(new Set(listStatuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await user.get<Assistant[]>(`/assistants?name=${name}`)).body).toHaveLength(1);
  });

  it.each(['the knowledge base', 'the assistant'])(
    'that attach and delete %s leave no partial attachment',
    async (what) => {
      const seen = new Set<string>();
      await runInParallel(range(chooseCount(5, 100)), 4, async () => {
        const [assistant, document] = [await create(), await requestUpload()];
        const path = `/assistants/${assistant}/knowledge-bases/${document}`;
        const deletedPath =
          what === 'the assistant' ? `/assistants/${assistant}` : `/assistants/knowledge-base/${document}?force=true`;
        const [attached, deleted] = await Promise.all([
          user.put(path, undefined),
          retryOnConflict(() => user.delete(deletedPath)),
        ]);
        expect(deleted.status).toBe(200);
        seen.add(String(attached.status));
      });
      expect(['200', '404']).toEqual(expect.arrayContaining([...seen]));
      await expectConsistent();
    },
  );

  it('that detach and delete a knowledge base leave no partial attachment', async () => {
    await runInParallel(range(chooseCount(4, 100)), 4, async () => {
      const [assistant, document] = [await create(), await requestUpload()];
      const path = `/assistants/${assistant}/knowledge-bases/${document}`;
      await user.put(path, undefined);
      const replies = await Promise.all([
        user.delete(path),
        user.delete(`/assistants/knowledge-base/${document}?force=true`),
      ]);
      expect(['200,200', '200,404']).toContain(String(listStatuses(replies)));
      expect((await user.get<Assistant>(`/assistants/${assistant}`)).body.attached_knowledge_bases).toEqual([]);
    });
    await expectConsistent();
  });

  it.each([{ name: 'mine' }, {}])('that save the same credential create one (%o)', async (named) => {
    const service_type = `vendor-${randomUUID()}`;
    const save = (i: number) =>
      retryOnConflict(() =>
        user.post<{ data: { id: string } }>('/user-credentials', {
          service_type,
          ...named,
          api_key: `sk-${i}-${randomUUID()}`,
        }),
      );
    const replies = await Promise.all(range(chooseCount(8, 50)).map(save));
    expect(new Set(listStatuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    const { text } = await user.get('/user-credentials');
    expect(text.split(service_type)).toHaveLength(2);
    await expectConsistent();
  });

  it('that rotate and revoke an API key leave at most the new key', async () => {
    await runInParallel(range(chooseCount(4, 100)), 4, async () => {
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
    await expectConsistent();
  });

  it('that save the same call create one session', async () => {
    const assistant_id = await create();
    const { body: before } = await user.get<{ data: { total: number } }>('/chat');
    const calls = chooseCount(2, 30);
    await runInParallel(range(calls), 2, async () => {
      const log = { assistant_id, room_name: randomUUID(), transcript: buildTurns(300) };
      const save = () => retryOnConflict(() => user.post<{ data: { id: string } }>('/logs/call-logs', log));
      const replies = await Promise.all(range(6).map(save));
      expect(new Set(listStatuses(replies))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
    });
    const { body: after } = await user.get<{ data: { total: number } }>('/chat');
    expect(after.data.total).toBe(before.data.total + calls);
    await expectConsistent();
  });

  it('that extend and delete a call leave it complete or deleted', async () => {
    const assistant_id = await create();
    await runInParallel(range(chooseCount(4, 100)), 4, async () => {
      const log = { assistant_id, room_name: randomUUID(), transcript: buildTurns(300) };
      const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
      const further = { ...log, transcript: [...log.transcript, ...buildTurns(1)] };
      const [told, deleted] = await Promise.all([
        retryOnConflict(() => user.post('/logs/call-logs', further)),
        retryOnConflict(() => user.delete(`/logs/chat-logs/${body.data.id}`)),
      ]);
      expect([told.status, deleted.status]).toEqual([200, 200]);
    });
    await expectConsistent();
  });

  it('that save calls do not make a paged list skip or repeat a session', async () => {
    user = await createUser();
    const [some, others] = [40, chooseCount(60, 1000)];
    const assistant_id = await create();
    const saveCall = () =>
      user.post('/logs/call-logs', { assistant_id, room_name: randomUUID(), transcript: buildTurns(1) });
    await runInParallel(range(some), 6, async () => void (await saveCall()));
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
    const initialIds = await walk(1000);
    let arrived = 0;
    const arriving = runInParallel(range(others), 5, async () => {
      await saveCall();
      arrived += 1;
    });
    do {
      const met = await walk(10);
      expect(new Set(met).size).toBe(met.length);
      expect(initialIds.filter((id) => !met.includes(id))).toEqual([]);
    } while (arrived < others);
    await arriving;
    expect(new Set(await walk(10)).size).toBe(some + others);
    await expectConsistent();
  });
});
