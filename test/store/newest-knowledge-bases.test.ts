import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildKnowledgeBase } from '../../shared/domain/knowledge-base.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { meter } = await import('../../shared/telemetry/meter.ts');
const knowledgeBases = await import('../../shared/store/knowledge-bases/knowledge-bases.ts');

/** Facts that a listing finds out about a row. */
const states = {
  wanted: { passages: 'passages/a' },
  unwanted: { passages: 'passages/b' },
  processing: {},
  deleted: { passages: 'passages/a', deleting: true },
};
type State = keyof typeof states;

/** Inserts knowledge bases, the oldest first. Returns the ids of the wanted ones by their position. */
async function insertAll(owner: string, all: readonly State[]): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for (const state of all) {
    const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };
    const knowledgeBase = { ...buildKnowledgeBase('alice', document), ...states[state] };
    await knowledgeBases.insert(owner, knowledgeBase, []);
    ids.push(state === 'wanted' ? knowledgeBase.id : undefined);
  }
  return ids;
}

it('lists the newest that are ready and wanted, of a limited number of rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<State>('wanted', 'wanted', 'unwanted', 'processing', 'deleted'), { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, count, maxRowsRead) => {
        const owner = randomUUID();
        const ids = await insertAll(owner, all);
        const expected = ids
          .reverse()
          .slice(0, maxRowsRead)
          .filter((id) => id !== undefined)
          .slice(0, count);
        const before = meter.roundTrips;
        const isWanted = ({ passages }: { passages?: string }) => passages === states.wanted.passages;
        const found = await knowledgeBases.listNewest(owner, { count, maxRowsRead }, isWanted);
        expect(found.map(({ id }) => id)).toEqual(expected);
        expect(meter.roundTrips - before).toBeLessThanOrEqual(Math.ceil(maxRowsRead / count));
      },
    ),
    { numRuns: 30 },
  );
});

it('reads all of a record for lists and searches, except which assistants have it', async () => {
  const owner = randomUUID();
  const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, sha256: null };
  const knowledgeBase = {
    ...buildKnowledgeBase('alice', document, randomUUID()),
    passages: 'passages/a',
    index_bytes: 1,
    warnings: [{ type: 'parts_left_out', msg: 'A picture' }],
    languages: ['de' as const],
  };
  await knowledgeBases.insert(owner, knowledgeBase, []);
  const { assistants, ...others } = knowledgeBase;
  expect(await knowledgeBases.find(owner, knowledgeBase.id)).toMatchObject({ assistants });
  const [many] = (await knowledgeBases.getMany(owner, [knowledgeBase.id])).values();
  const [newest] = await knowledgeBases.listNewest(owner, { count: 1, maxRowsRead: 1 }, () => true);
  expect([many, newest]).toEqual([others, others]);
});
