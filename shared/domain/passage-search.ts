import { Invalid, TooLarge } from '../errors.ts';
import { type PassageSearch, SearchFilters } from '../schemas/search.ts';
import { parseTimestamp } from '../timestamp.ts';
import type { StoredKnowledgeBase } from './knowledge-base.ts';

/** Throws Invalid if a search names both an assistant and knowledge bases. */
export function checkSearch({ assistant_id, knowledge_base_ids }: PassageSearch): void {
  if (!assistant_id || !knowledge_base_ids) return;
  const msg = 'Send either "assistant_id" or "knowledge_base_ids", not both';
  throw new Invalid([{ loc: ['body', 'knowledge_base_ids'], msg, type: 'exclusive_field' }]);
}

/** Lists the filters of a search, as sent, that do not exist. */
export const listUnknownFilters = ({ filters }: { filters?: object | null }): string[] =>
  Object.keys(filters ?? {}).flatMap((name) => (Object.hasOwn(SearchFilters.entries, name) ? [] : [`filters.${name}`]));

/** Normalizes a name, so that its case and the encoding of its accents do not matter. Lower case first: `ß` becomes `SS`, `ẞ` does not. */
const normalize = (name: string) => name.toLowerCase().toUpperCase().normalize('NFC');

/** Builds the test for a name. An empty list of names allows every name. */
function buildNameTest(names: readonly string[] | null | undefined): (name: string) => boolean {
  const allowed = new Set(names?.map(normalize));
  return (name) => allowed.size === 0 || allowed.has(normalize(name));
}

/** Builds the test that a document passes if it meets all filters of a search. */
export function buildFilter(filters: SearchFilters | null | undefined): (document: StoredKnowledgeBase) => boolean {
  const hasType = buildNameTest(filters?.content_types);
  const hasName = buildNameTest(filters?.file_names);
  const from = parseTimestamp(filters?.created_from) ?? Number.NEGATIVE_INFINITY;
  const to = parseTimestamp(filters?.created_to) ?? Number.POSITIVE_INFINITY;
  return ({ content_type, file_name, created_at }) => {
    const created = Date.parse(created_at);
    return hasType(content_type) && hasName(file_name) && from <= created && created <= to;
  };
}

/** Builds the error for a search whose documents need too much memory. */
export function buildTooLarge({ assistant_id, knowledge_base_ids }: PassageSearch): TooLarge {
  const field = assistant_id ? ['assistant_id'] : knowledge_base_ids ? ['knowledge_base_ids'] : [];
  const advice = assistant_id
    ? 'filter them, or detach the largest'
    : 'name fewer in "knowledge_base_ids", or filter them';
  return new TooLarge(['body', ...field], `These documents are too large to be searched together: ${advice}`);
}
