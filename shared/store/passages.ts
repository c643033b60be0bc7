import type { FoundPassage } from '../schemas/knowledge-base.ts';
import { search } from '../search/search.ts';
import { getSeveral } from './knowledge-bases.ts';
import { cacheIndexes } from './opened-indexes.ts';

/**
 * Of the function's 1,769 MB. Where two users search as much in turn, what the one has had waits for the garbage collector while that
 * of the other is opened: up to 1,560 MB were seen.
 */
const indexes = cacheIndexes(500_000_000);

/**
 * The best passages of several knowledge bases, those that are ready, ranked together. One round trip to the table, and one to
 * S3 for each that this function has not used lately, ten at once. Throws TooLarge.
 */
export async function passagesFor(owner: string, ids: string[], query: string, limit: number): Promise<FoundPassage[]> {
  const knowledgeBases = [...(await getSeveral(owner, ids)).values()].filter(({ passages }) => passages !== undefined);
  const opened = await indexes.openAll(knowledgeBases.map(({ passages }) => String(passages)));
  const ready = knowledgeBases.flatMap((one, i) => {
    const index = opened[i];
    return index ? [{ one, index }] : [];
  });
  const found = search(
    ready.map(({ index }) => index),
    query,
    limit,
  );
  return found.flatMap(({ index, passage, score }) => {
    const { one } = ready[index] ?? {};
    if (!one) return [];
    const { page, text } = passage;
    return [
      { knowledge_base_id: one.id, file_name: one.file_name, page, text, score: Math.round(score * 1_000) / 1_000 },
    ];
  });
}
