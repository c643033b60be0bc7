import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { runInParallel } from '../../infra/commands/data/in-parallel.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { StoredKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import type { FoundPassage, KnowledgeBase } from '../../shared/schemas/knowledge-base.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { listObjectFiles } from '../support/files.ts';
import { upload, uploadAndWait, waitUntilParsed } from '../support/knowledge-bases.ts';
import { useEmulator } from '../support/store.ts';
import { getRequestCost, normalizeReply } from '../support/tenancy.ts';
import { eventually } from '../support/timeouts.ts';

const user = await createUser();
const other = await createOtherUser();

interface Found {
  passages: FoundPassage[];
  searched: number;
}

const search = (fields: object, who = user) =>
  who.post<{ data: Found }>('/search/only', { query: 'clinic', ...fields });

/** Searches, and returns the ids of the found knowledge bases, each once, and the number of searched ones. */
async function find(fields: object, who = user): Promise<{ ids: string[]; searched: number }> {
  const { status, body, text } = await search(fields, who);
  if (status !== 200) throw new Error(text);
  const { passages, searched } = body.data;
  return { ids: [...new Set(passages.map(({ knowledge_base_id }) => knowledge_base_id))], searched };
}

const attach = (assistant: string, id: string) => user.put(`/assistants/${assistant}/knowledge-bases/${id}`, undefined);

let hours: KnowledgeBase;
let prices: KnowledgeBase;
let page: KnowledgeBase;

beforeAll(async () => {
  hours = await uploadAndWait(user, 'The clinic opens at nine on Saturdays.', 'Öffnungszeiten.txt');
  prices = await uploadAndWait(user, 'A check-up at the clinic costs eighty francs.', 'prices.md');
  page = await uploadAndWait(user, '<html><body><p>The clinic is near the station.</p></body></html>', 'page.html');
});

describe('a search without a language model', () => {
  it('covers all knowledge bases, and returns the best passages first', async () => {
    const { status, body } = await search({ query: 'How much is a check-up at the clinic?', limit: 2 });
    expect([status, body]).toEqual([
      200,
      {
        status: 'success',
        message: 'Passages found',
        data: { passages: [expect.any(Object), expect.any(Object)], searched: 3 },
      },
    ]);
    const [best, second] = body.data.passages;
    expect(best).toEqual({
      knowledge_base_id: prices.id,
      file_name: 'prices.md',
      page: null,
      text: 'A check-up at the clinic costs eighty francs.',
      score: expect.any(Number),
    });
    expect(best?.score).toBeGreaterThan(second?.score ?? 0);
  });

  it('covers what is attached to an assistant', async () => {
    const { body: assistant } = await createAssistant(user);
    expect(await find({ assistant_id: assistant.id })).toEqual({ ids: [], searched: 0 });
    await attach(assistant.id, hours.id);
    await attach(assistant.id, page.id);
    const attached = await find({ assistant_id: assistant.id.toUpperCase() });
    expect([attached.ids.toSorted(), attached.searched]).toEqual([[hours.id, page.id].toSorted(), 2]);
    const filters = { content_types: ['text/html'] };
    expect(await find({ assistant_id: assistant.id, filters })).toEqual({ ids: [page.id], searched: 1 });
  });

  it('covers the named knowledge bases, each once', async () => {
    const knowledge_base_ids = [prices.id, prices.id.toUpperCase(), prices.id];
    expect(await find({ knowledge_base_ids, assistant_id: null })).toEqual({ ids: [prices.id], searched: 1 });
    const many = { knowledge_base_ids: Array(50).fill(hours.id) };
    expect(await find(many)).toEqual({ ids: [hours.id], searched: 1 });
  });

  it.skipIf(deployed)('finds nothing for a user without documents', async () => {
    const newcomer = await createUser();
    expect((await search({}, newcomer)).body.data).toEqual({ passages: [], searched: 0 });
  });

  it('says how many documents it has searched, even if nothing matches', async () => {
    expect((await search({ query: 'zeppelin' })).body.data).toEqual({ passages: [], searched: 3 });
  });

  it('skips documents that are not ready', async () => {
    const announced = { file_name: 'awaited.txt', content_type: 'text/plain', size_bytes: 1 };
    const { body } = await user.post<{ data: { knowledge_base: KnowledgeBase } }>(
      '/assistants/knowledge-base/uploads',
      announced,
    );
    const broken = await waitUntilParsed(user, (await upload(user, '%PDF-1.7 nonsense', 'x.pdf')).body.data.id);
    expect(broken.status).toBe('failed');
    const unready = [body.data.knowledge_base.id, broken.id];
    expect(await find({ knowledge_base_ids: [...unready, page.id] })).toEqual({ ids: [page.id], searched: 1 });
    expect(await find({ knowledge_base_ids: unready })).toEqual({ ids: [], searched: 0 });
    expect((await find({})).searched).toBe(3);
    for (const id of unready) await user.delete(`/assistants/knowledge-base/${id}`);
  });

  it.each([
    ['診療所は朝八時に開きます。', '診療所'],
    ['تفتح العيادة في الثامنة صباحا', 'العيادة'],
    ['Η κλινική ανοίγει στις οκτώ', 'κλινικη'],
    ['क्लिनिक आठ बजे खुलता है', 'क्लिनिक'],
  ])('finds text in any script: %s', async (content, query) => {
    const { id } = await uploadAndWait(user, content);
    expect((await find({ query })).ids).toEqual([id]);
    await user.delete(`/assistants/knowledge-base/${id}`);
  });

  it('returns at most the limit, by default five', async () => {
    const many = Array.from({ length: 30 }, (_, i) => `Rule ${i} of the clinic. ${'It is strict. '.repeat(60)}`);
    const { id } = await uploadAndWait(user, many.join('\n\n'));
    const countFound = async (fields: object) =>
      (await search({ knowledge_base_ids: [id], ...fields })).body.data.passages.length;
    expect(await Promise.all([{}, { limit: 1 }, { limit: 20 }].map(countFound))).toEqual([5, 1, 20]);
    await user.delete(`/assistants/knowledge-base/${id}`);
  });

  it('accepts a query with characters that were lost', async () => {
    expect((await find({ query: 'clinic \ufffd \ufffdffnung' })).searched).toBe(3);
  });
});

describe('filters', () => {
  it.each<[object, () => string[]]>([
    [{ content_types: ['text/html', 'application/pdf'] }, () => [page.id]],
    [{ content_types: ['TEXT/Markdown'] }, () => [prices.id]],
    [{ content_types: ['text'] }, () => []],
    [{ file_names: ['ÖFFNUNGSZEITEN.txt'.normalize('NFD'), 'PRICES.MD'] }, () => [hours.id, prices.id]],
    [{ file_names: ['prices'] }, () => []],
    [{ file_names: ['prices.md'], content_types: ['text/html'] }, () => []],
    [{ file_names: [], content_types: null }, () => [hours.id, prices.id, page.id]],
  ])('leave only documents that meet all of them: %j', async (filters, getExpected) => {
    const { ids, searched } = await find({ filters });
    expect(ids.toSorted()).toEqual(getExpected().toSorted());
    expect(searched).toBe(ids.length);
    const named = { knowledge_base_ids: [hours.id, prices.id, page.id] };
    expect((await find({ ...named, filters })).searched).toBe(searched);
  });

  it('limit the time of the upload, with both ends', async () => {
    const { created_at } = prices;
    expect((await find({ filters: { created_from: created_at, created_to: created_at } })).ids).toEqual([prices.id]);
    expect((await find({ filters: { created_to: created_at } })).ids.toSorted()).toEqual(
      [hours.id, prices.id].toSorted(),
    );
    expect((await find({ filters: { created_from: '2099-01-01T00:00:00+01:00' } })).searched).toBe(0);
  });

  it('are reported if they do not exist', async () => {
    const { headers } = await search({ filters: { file_name: 'prices.md' }, mode: 'fast' });
    expect(headers.get('x-ignored-fields')).toBe('mode, filters.file_name');
  });
});

describe('an invalid search', () => {
  it.each<[string, object]>([
    ['body.query: missing', { query: undefined }],
    ['body.query: string_blank', { query: ' ' }],
    ['body.query: string_too_long', { query: 'x'.repeat(2_001) }],
    ['body.limit: greater_than_equal', { limit: 0 }],
    ['body.limit: less_than_equal', { limit: 21 }],
    ['body.assistant_id: uuid_parsing', { assistant_id: 'mine' }],
    ['body.knowledge_base_ids: too_short', { knowledge_base_ids: [] }],
    ['body.knowledge_base_ids: too_long', { knowledge_base_ids: Array.from({ length: 51 }, () => randomUUID()) }],
    ['body.knowledge_base_ids.1: uuid_parsing', { knowledge_base_ids: [randomUUID(), 'x'] }],
    ['body.knowledge_base_ids: exclusive_field', { assistant_id: randomUUID(), knowledge_base_ids: [randomUUID()] }],
    ['body.filters: dict_type', { filters: [] }],
    ['body.filters.content_types: too_long', { filters: { content_types: Array(21).fill('a') } }],
    ['body.filters.file_names: too_long', { filters: { file_names: Array(51).fill('a') } }],
    ['body.filters.created_from: datetime_parsing', { filters: { created_from: '2026-11-21' } }],
    ['body.filters.created_to: datetime_parsing', { filters: { created_to: '2026-02-30T07:00:00Z' } }],
  ])('is rejected: %s', async (fault, fields) => {
    const reply = await search(fields);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });
});

describe('an id that the user does not have', () => {
  const missing = { detail: [{ loc: expect.any(Array), msg: expect.any(String), type: 'not_found' }] };
  const expectMissing = (reply: Reply, place: string) => {
    expect([reply.status, reply.body]).toEqual([404, missing]);
    expect(listFaults(reply)).toEqual([`body.${place}: not_found`]);
  };

  it('is named with its position, whether it is unknown, foreign or deleted', async () => {
    const deleted = await uploadAndWait(user, 'The clinic was sold.');
    expect((await user.delete(`/assistants/knowledge-base/${deleted.id}`)).status).toBe(200);
    const foreign = await uploadAndWait(other, 'The clinic is abroad.');
    const known = [hours.id, prices.id, page.id];
    const replies: Reply[] = [];
    for (const id of [randomUUID(), foreign.id, deleted.id]) {
      const reply = await search({ knowledge_base_ids: [...known, id, randomUUID()] });
      expectMissing(reply, 'knowledge_base_ids.3');
      replies.push(reply);
    }
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });

  it('is refused for an assistant', async () => {
    const { body: foreign } = await createAssistant(other);
    for (const assistant_id of [randomUUID(), foreign.id])
      expectMissing(await search({ assistant_id }), 'assistant_id');
  });

  it.skipIf(deployed)('answers and costs the same if it is foreign', async () => {
    const foreign = await uploadAndWait(other, 'The clinic is abroad.');
    const { body: foreignAssistant } = await createAssistant(other);
    const measure = async (fields: object) => {
      const reply = await search(fields);
      return { ...normalizeReply(reply, {}), ...(await getRequestCost(reply)) };
    };
    const named = (id: string) => ({ knowledge_base_ids: [hours.id, id] });
    await eventually(async () => expect(await measure(named(foreign.id))).toEqual(await measure(named(randomUUID()))));
    await eventually(async () =>
      expect(await measure({ assistant_id: foreignAssistant.id })).toEqual(
        await measure({ assistant_id: randomUUID() }),
      ),
    );
  });
});

describe.skipIf(deployed)('with many documents', () => {
  useEmulator();
  let mine: Client;
  let sample: StoredKnowledgeBase;

  const toOwner = async ({ sub }: Client) => toUserKey((await LocalIssuer.open(inject('dataDir'))).url, sub);

  /** Stores newer copies of a document, with its index if it has one. */
  async function insertCopies(original: StoredKnowledgeBase, count: number): Promise<string[]> {
    const { insert } = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
    const { storePassages } = await import('../../shared/store/knowledge-bases/passage-files.ts');
    const files = await import('../../shared/store/files/files.ts');
    const owner = await toOwner(mine);
    const index = original.passages && (await files.get(original.passages));
    const copies = Array.from({ length: count }, () => ({ ...original, id: uuidv7() }));
    // A hundred concurrent connections would time out on a busy machine.
    await runInParallel(copies, 8, async (one) => {
      if (index) await storePassages(owner, one.id, index);
      await insert(owner, one, []);
    });
    return copies.map(({ id }) => id);
  }

  beforeAll(async () => {
    mine = await createUser();
    const { get } = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
    await uploadAndWait(mine, 'The zeppelin lands behind the clinic.');
    const { id } = await uploadAndWait(mine, 'The clinic opens at nine.');
    sample = await get(await toOwner(mine), id);
  });

  it('covers the 50 newest that are ready and match, of the 200 newest', async () => {
    const findZeppelin = async () => (await search({ query: 'zeppelin' }, mine)).body.data;
    await insertCopies(sample, 48);
    expect(await findZeppelin()).toEqual({ passages: [expect.any(Object)], searched: 50 });
    await insertCopies({ ...sample, content_type: 'text/csv' }, 1);
    expect(await findZeppelin()).toEqual({ passages: [], searched: 50 });
    expect((await find({ filters: { content_types: ['text/csv'] } }, mine)).searched).toBe(1);
    const { passages: _, ...unready } = sample;
    await insertCopies({ ...unready, status: 'failed' }, 198);
    expect((await find({}, mine)).searched).toBe(2);
    await insertCopies({ ...unready, status: 'failed' }, 2);
    expect((await find({}, mine)).searched).toBe(0);
  });

  it('skips a document whose file is missing', async () => {
    const another = await createUser();
    await uploadAndWait(another, 'The clinic opens at nine.');
    for (const file of listObjectFiles(`passages/${await toOwner(another)}`)) rmSync(file);
    expect(await find({}, another)).toEqual({ ids: [], searched: 0 });
  });

  it('is rejected if they need more than 200 MB, with the place and advice', async () => {
    const knowledge_base_ids = await insertCopies({ ...sample, index_bytes: 150_000_000 }, 2);
    for (const [fields, place] of [
      [{ knowledge_base_ids }, 'body.knowledge_base_ids'],
      [{}, 'body'],
    ] as const) {
      const reply = await search(fields, mine);
      expect([reply.status, listFaults(reply)]).toEqual([413, [`${place}: too_large`]]);
      expect(reply.text).toContain('name fewer');
    }
  });
});
