import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildKnowledgeBase, toPublicKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { TooLarge } from '../../shared/errors.ts';
import { DamagedIndex } from '../../shared/search/bytes.ts';
import { encodeIndex } from '../../shared/search/encode.ts';
import { openIndex } from '../../shared/search/open.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { meter } = await import('../../shared/telemetry/meter.ts');
const documents = await import('../../shared/store/knowledge-bases/documents.ts');
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');
const { storePassages } = await import('../../shared/store/knowledge-bases/passage-files.ts');
const { buildEventWrite } = await import('../../shared/store/journal.ts');
const { createSearch } = await import('../../shared/store/knowledge-bases/passages.ts');

const searchPassages = (by: string, ids: string[], query: string, limit: number) => createSearch(by, ids)(query, limit);

const index = encodeIndex([{ page: null, text: 'The moon shone on the marsh.' }]);
const owner = randomUUID();
const cause = { owner, userId: null, actor: { kind: 'service' as const, id: 'test' }, requestId: 'request' };

/** Inserts a knowledge base with an unparsed document. */
async function insertKnowledgeBase() {
  const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };
  const knowledgeBase = buildKnowledgeBase('alice', document);
  await knowledgeBases.insert(owner, knowledgeBase, []);
  return knowledgeBase;
}

/**
 * Inserts a knowledge base with an indexed document. `index_bytes` is the recorded memory size, absent in old rows. `named` is what the row
 * says of the place of the index.
 */
async function insertParsedDocument(index_bytes?: number, named?: string): Promise<string> {
  const { id } = await insertKnowledgeBase();
  const passages = await storePassages(owner, id, index);
  const knowledgeBase = { passages: named ?? passages, status: 'ready' as const, ...(index_bytes && { index_bytes }) };
  const data = { name: 'a', file_name: 'a.txt', chunk_count: 1, assistant_ids: [] };
  await knowledgeBases.storeResult(owner, id, knowledgeBase, buildEventWrite(cause, 'knowledge_base.ready', id, data));
  return id;
}

describe('a parsed document', () => {
  const facts = { content_type: 'text/plain', char_count: 28, chunk_count: 1, warnings: [], assistant_ids: [] };

  it('records the memory that its index takes', async () => {
    const knowledgeBase = await insertKnowledgeBase();
    await documents.finish({ owner, knowledgeBase }, { ...facts, index }, 'request');
    const { memoryBytes } = openIndex(index);
    expect(await knowledgeBases.find(owner, knowledgeBase.id)).toMatchObject({
      status: 'ready',
      index_bytes: memoryBytes,
    });
  });

  it('keeps its warnings, and has none if there are none', async () => {
    const warnings = [{ type: 'encoding_guessed', msg: 'Look at it' }];
    for (const given of [warnings, []]) {
      const knowledgeBase = await insertKnowledgeBase();
      expect(toPublicKnowledgeBase(knowledgeBase).warnings).toEqual([]);
      await documents.finish({ owner, knowledgeBase }, { ...facts, warnings: given, index }, 'request');
      const stored = await knowledgeBases.find(owner, knowledgeBase.id);
      expect(stored && toPublicKnowledgeBase(stored).warnings).toEqual(given);
    }
  });

  it('is searched by its own index, whatever file its row names', async () => {
    const secret = encodeIndex([{ page: null, text: 'The moon is a secret of somebody else.' }]);
    const id = await insertParsedDocument(undefined, await storePassages(randomUUID(), randomUUID(), secret));
    expect(await searchPassages(owner, [id], 'moon', 5)).toMatchObject([{ text: 'The moon shone on the marsh.' }]);
  });

  it('does not become ready if its index is damaged', async () => {
    const knowledgeBase = await insertKnowledgeBase();
    const finished = documents.finish({ owner, knowledgeBase }, { ...facts, index: index.subarray(1) }, 'request');
    await expect(finished).rejects.toThrow(DamagedIndex);
    expect(await knowledgeBases.find(owner, knowledgeBase.id)).toMatchObject({ status: 'processing' });
  });
});

describe('a search', () => {
  it('reads the table once for all queries of one step', async () => {
    const search = createSearch(owner, [await insertParsedDocument()]);
    const before = { ...meter };
    const found = await Promise.all(['moon', 'marsh', 'shone'].map((query) => search(query, 5)));
    expect(found.map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(meter.roundTrips - before.roundTrips).toBe(2); // and the file with the index
    expect(meter.filesRead - before.filesRead).toBe(1);
  });

  it('in more than 200 MB of indexes is rejected before any file is fetched', async () => {
    const ids = [await insertParsedDocument(100_000_000), await insertParsedDocument(100_000_001)];
    const before = meter.filesRead;
    const refused = await searchPassages(owner, ids, 'moon', 5).catch((error) => error);
    expect(refused).toBeInstanceOf(TooLarge);
    expect(refused.detail).toEqual([
      {
        loc: ['path', 'assistant_id'],
        msg: 'The attached knowledge bases are too large to be searched together: detach the largest',
        type: 'too_large',
      },
    ]);
    expect(meter.filesRead).toBe(before);
    expect(await searchPassages(owner, ids.slice(1), 'moon', 5)).toHaveLength(1);
  });

  it('covers documents that were parsed before sizes were recorded', async () => {
    expect(
      await searchPassages(owner, [await insertParsedDocument(), await insertParsedDocument()], 'moon', 5),
    ).toHaveLength(2);
  });
});
