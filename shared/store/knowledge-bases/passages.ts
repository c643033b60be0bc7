import { isSearchable, type StoredKnowledgeBase } from '../../domain/knowledge-base.ts';
import { TooLarge } from '../../errors.ts';
import { fullCoreMb } from '../../route.ts';
import type { FoundPassage } from '../../schemas/knowledge-base.ts';
import { search } from '../../search/search.ts';
import { cacheIndexes } from './index-cache.ts';
import { getMany } from './knowledge-bases.ts';
import { toPassagesKey } from './passage-files.ts';

/** Memory of the function, as a share of that of searches. */
const share = Number(process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? fullCoreMb) / fullCoreMb;

/**
 * Cache of recently searched indexes, within the function's memory. With 1,769 MB it opens 200 MB for one search: 50 documents of 4 MB
 * of English text, the maximum of the API, take 175 MB, and about a second. Functions with less memory do more than search, so they
 * keep no more than they open.
 */
const indexes = cacheIndexes({
  maxCached: share * (share < 1 ? 200_000_000 : 500_000_000),
  maxOpened: share * 200_000_000,
});

/** Passages that a search has found, best first, and the number of knowledge bases that it has searched. */
interface Found {
  passages: FoundPassage[];
  searched: number;
}

/**
 * Searches knowledge bases of an owner and returns the best passages, ranked together. Skips those that are not ready. One round
 * trip to S3 per index that is not cached, ten at a time. Throws `toError` if they are too large.
 */
export async function searchKnowledgeBases(
  owner: string,
  knowledgeBases: readonly StoredKnowledgeBase[],
  query: string,
  limit: number,
  toError: () => TooLarge,
): Promise<Found> {
  const searchable = knowledgeBases.filter(isSearchable);
  const opened = await indexes.openAll(
    searchable.map(({ id, index_bytes }) => ({ name: toPassagesKey(owner, id), bytes: index_bytes })),
    toError,
  );
  const ready = searchable.flatMap((one, i) => {
    const index = opened[i];
    return index ? [{ one, index }] : [];
  });
  const found = search(
    ready.map(({ index }) => index),
    query,
    limit,
  );
  const passages = found.flatMap(({ index, passage, score }) => {
    const { one } = ready[index] ?? {};
    if (!one) return [];
    const { page, text } = passage;
    return [
      { knowledge_base_id: one.id, file_name: one.file_name, page, text, score: Math.round(score * 1_000) / 1_000 },
    ];
  });
  return { passages, searched: ready.length };
}

const attachedTooLarge = () =>
  new TooLarge(
    ['path', 'assistant_id'],
    'The attached knowledge bases are too large to be searched together: detach the largest',
  );

/** Searches for a query. Returns the best passages, at most `limit`. */
export type Search = (query: string, limit: number) => Promise<FoundPassage[]>;

/**
 * Creates the search in the attached knowledge bases of an assistant, for searches that begin together. The first takes a round trip to the
 * table, and each those of `searchKnowledgeBases`. Throws TooLarge.
 */
export function createSearch(owner: string, ids: string[]): Search {
  let attached: ReturnType<typeof getMany> | undefined;
  return async (query, limit) => {
    attached ??= getMany(owner, ids);
    return (await searchKnowledgeBases(owner, [...(await attached).values()], query, limit, attachedTooLarge)).passages;
  };
}
