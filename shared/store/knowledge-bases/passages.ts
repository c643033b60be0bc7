import type { FoundPassage } from '../../schemas/knowledge-base.ts';
import { search } from '../../search/search.ts';
import { cacheIndexes } from './index-cache.ts';
import { getMany } from './knowledge-bases.ts';

/**
 * Cache of recently searched indexes, within the function's 1,769 MB. `maxOpened` limits the first search of a new
 * function to about a second: 50 documents of 4 MB of English text, the maximum of the API, take 170 MB.
 */
const indexes = cacheIndexes({ maxCached: 500_000_000, maxOpened: 200_000_000 });

/**
 * Searches several knowledge bases and returns the best passages, ranked together. Skips those that are not ready. One
 * round trip to the table, and one to S3 per index that is not cached, ten at a time. Throws TooLarge.
 */
export async function searchPassages(
  owner: string,
  ids: string[],
  query: string,
  limit: number,
): Promise<FoundPassage[]> {
  const knowledgeBases = [...(await getMany(owner, ids)).values()].filter(({ passages }) => passages !== undefined);
  const opened = await indexes.openAll(
    knowledgeBases.map(({ passages, index_bytes }) => ({ name: String(passages), bytes: index_bytes })),
  );
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
