import type { StoredKnowledgeBase } from '../../domain/knowledge-base.ts';
import { buildFilter } from '../../domain/passage-search.ts';
import { maxSearched, type PassageSearch } from '../../schemas/search.ts';
import * as assistants from '../assistants.ts';
import { getMany, getNamed, listNewest } from './knowledge-bases.ts';

/** Maximum number of rows that are read for the newest knowledge bases: thousands may have failed. */
const maxRowsRead = 200;

/**
 * Returns the knowledge bases that a search covers: what is attached to its assistant, those that it names, or the newest. Omits
 * those that do not meet its filters. One round trip for named ones, two for an assistant, and up to four for the newest, or one per
 * megabyte. Throws NotFound.
 */
export async function selectKnowledgeBases(
  owner: string,
  { assistant_id, knowledge_base_ids, filters }: PassageSearch,
): Promise<StoredKnowledgeBase[]> {
  const isWanted = buildFilter(filters);
  if (knowledge_base_ids) return (await getNamed(owner, knowledge_base_ids)).filter(isWanted);
  if (!assistant_id) return listNewest(owner, { count: maxSearched, maxRowsRead }, isWanted);
  const { attachments } = await assistants.get(owner, assistant_id, ['body', 'assistant_id']);
  const attached = await getMany(owner, Object.keys(attachments));
  return [...attached.values()].filter(isWanted);
}
