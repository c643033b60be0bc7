import type { StoredKnowledgeBase } from '../domain/knowledge-base.ts';
import type { FoundPassage } from '../schemas/knowledge-base.ts';
import { type Index, openIndex } from '../search/open.ts';
import { search } from '../search/search.ts';
import * as files from './files.ts';
import { getSeveral } from './knowledge-bases.ts';

/** How much is remembered, in bytes of the files: opened they take some three times that. */
const maxRemembered = 100 * 1024 * 1024;

/** Opened indexes by their file, the one that was used longest ago first. A file never changes. */
const remembered = new Map<string, { index: Index; bytes: number }>();

function remember(file: string, index: Index, bytes: number): void {
  remembered.set(file, { index, bytes });
  let sum = [...remembered.values()].reduce((all, one) => all + one.bytes, 0);
  for (const [oldest, one] of remembered) {
    if (sum <= maxRemembered || oldest === file) break;
    remembered.delete(oldest);
    sum -= one.bytes;
  }
}

/** The index in a file; undefined where it is gone. One round trip to S3, none where it was used a while ago. */
async function indexIn(file: string): Promise<Index | undefined> {
  const known = remembered.get(file);
  if (known) {
    remembered.delete(file);
    remembered.set(file, known);
    return known.index;
  }
  const bytes = await files.get(file);
  if (!bytes) return undefined;
  const index = openIndex(bytes);
  remember(file, index, bytes.length);
  return index;
}

/**
 * The best passages of several knowledge bases, those that are ready, ranked together. One round trip to the table, and one to
 * S3 for each that this function has not used lately, all at once.
 */
export async function passagesFor(owner: string, ids: string[], query: string, limit: number): Promise<FoundPassage[]> {
  const knowledgeBases = [...(await getSeveral(owner, ids)).values()].filter(({ passages }) => passages !== undefined);
  const opened = await Promise.all(
    knowledgeBases.map(async (one) => ({ one, index: await indexIn(String(one.passages)) })),
  );
  const ready = opened.filter(
    (found): found is { one: StoredKnowledgeBase; index: Index } => found.index !== undefined,
  );
  const indexes = ready.map(({ index }) => index);
  return search(indexes, query, limit).flatMap(({ index, passage, score }) => {
    const { one } = ready[index] ?? {};
    if (!one) return [];
    const { page, text } = passage;
    return [
      { knowledge_base_id: one.id, file_name: one.file_name, page, text, score: Math.round(score * 1_000) / 1_000 },
    ];
  });
}
