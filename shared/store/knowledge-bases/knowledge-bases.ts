import { isSearchable, type StoredKnowledgeBase, timeoutTypes } from '../../domain/knowledge-base.ts';
import { Conflict } from '../../errors.ts';
import { clearDue, toDue } from '../due.ts';
import { toKnowledgeBaseKey, toKnowledgeBasesPrefix } from '../table/keys.ts';
import { knowledgeBaseNotFound } from '../table/not-found.ts';
import { getAll, get as getItem, query, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';

/** True unless the knowledge base is being deleted. Deletion hides it first. */
const isVisible = ({ deleting }: Row) => deleting === undefined;

const fromRow = ({ pk: _, sk: __, ...rest }: Row): StoredKnowledgeBase => rest as unknown as StoredKnowledgeBase;

/** Builds the write of a new knowledge base. Never overwrites one, since it may already have been parsed. */
export const buildInsertWrite = (owner: string, knowledgeBase: StoredKnowledgeBase): Write => ({
  Put: {
    Item: {
      ...toKnowledgeBaseKey(owner, knowledgeBase.id),
      ...knowledgeBase,
      ...toDue(owner, knowledgeBase.deadline),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
});

/** Stores a new knowledge base, in one transaction with the extra writes. One round trip. */
export const insert = (owner: string, knowledgeBase: StoredKnowledgeBase, extraWrites: Write[]): Promise<void> =>
  write(buildInsertWrite(owner, knowledgeBase), ...extraWrites);

/** Finds a knowledge base. One round trip. */
export async function find(owner: string, id: string): Promise<StoredKnowledgeBase | undefined> {
  const row = await getItem(toKnowledgeBaseKey(owner, id));
  return row && isVisible(row) ? fromRow(row) : undefined;
}

/** Returns a knowledge base. One round trip. Throws NotFound. */
export async function get(owner: string, id: string): Promise<StoredKnowledgeBase> {
  const found = await find(owner, id);
  if (!found) throw knowledgeBaseNotFound('path', 'knowledge_base_id');
  return found;
}

/**
 * Lists the knowledge bases of a user, newest first, starting after the id `before`. One round trip per megabyte read.
 */
export async function* list(owner: string, before?: string, pageSize?: number): AsyncGenerator<StoredKnowledgeBase> {
  const key = before === undefined ? undefined : toKnowledgeBaseKey(owner, before).sk;
  const rows = query({ ...toKnowledgeBasesPrefix(owner), after: key, pageSize });
  for await (const row of rows) if (isVisible(row)) yield fromRow(row);
}

/** Attributes of a row, except the set of assistants, which may be a hundred times as large as all others. */
const ownFields = Object.keys({
  id: true,
  user_id: true,
  name: true,
  file_name: true,
  content_type: true,
  size_bytes: true,
  sha256: true,
  languages: true,
  status: true,
  status_reason: true,
  char_count: true,
  chunk_count: true,
  warnings: true,
  passages: true,
  index_bytes: true,
  deadline: true,
  deleting: true,
  created_at: true,
  updated_at: true,
} satisfies Record<Exclude<keyof StoredKnowledgeBase, 'assistants'> | 'deleting', true>);

/** Bounds of a listing of the newest knowledge bases. */
interface NewestBounds {
  /** Maximum number of knowledge bases, and of rows per round trip. */
  count: number;
  maxRowsRead: number;
}

/**
 * Returns the newest knowledge bases that are ready and wanted, without `assistants`, newest first. One round trip per `count` rows or megabyte, until
 * enough are found or `maxRowsRead` rows are read.
 */
export async function listNewest(
  owner: string,
  { count, maxRowsRead }: NewestBounds,
  isWanted: (knowledgeBase: StoredKnowledgeBase) => boolean,
): Promise<StoredKnowledgeBase[]> {
  const found: StoredKnowledgeBase[] = [];
  let rowsRead = 0;
  for await (const row of query({ ...toKnowledgeBasesPrefix(owner), pageSize: count, fields: ownFields })) {
    const knowledgeBase = fromRow(row);
    if (isVisible(row) && isSearchable(knowledgeBase) && isWanted(knowledgeBase)) found.push(knowledgeBase);
    rowsRead += 1;
    if (found.length === count || rowsRead === maxRowsRead) break;
  }
  return found;
}

/** Returns knowledge bases by id, without `assistants`. Skips deleted ones. One concurrent round trip per 100, none without ids. */
export async function getMany(owner: string, ids: Iterable<string>): Promise<Map<string, StoredKnowledgeBase>> {
  const rows = await getAll(
    [...new Set(ids)].map((id) => toKnowledgeBaseKey(owner, id)),
    ownFields,
  );
  return new Map(rows.filter(isVisible).map((item) => [String(item.id), fromRow(item)]));
}

/**
 * Returns knowledge bases that a request names in `knowledge_base_ids`, each once. One round trip. Throws NotFound with the position
 * of the first id that is unknown.
 */
export async function getNamed(owner: string, ids: readonly string[]): Promise<StoredKnowledgeBase[]> {
  const found = await getMany(owner, ids);
  const unknown = ids.findIndex((id) => !found.has(id));
  if (unknown >= 0) throw knowledgeBaseNotFound('body', 'knowledge_base_ids', String(unknown));
  return [...found.values()];
}

/** Thrown if the result of a knowledge base is no longer awaited: it was deleted, or another attempt has finished. */
export class NotAwaited extends Error {
  /** Object key of its search index, if it is ready. */
  readonly passages: unknown;
  constructor(stored: Row = {}) {
    super('NotAwaited');
    this.passages = isVisible(stored) ? stored.passages : undefined;
  }
}

/** Additional parts of an update, with the names and values that they use. */
interface ExtraParts {
  /** End of the update expression. */
  clause?: string;
  /** End of the condition expression. */
  condition?: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

/** Values of the failures that a late result replaces. */
const timeoutValues = Object.fromEntries(timeoutTypes.map((type) => [`:${type}`, type]));

/** Condition that a result is awaited, as in `isAwaited`. */
const awaited = `(#status = :processing OR #reason.#type IN (${Object.keys(timeoutValues).join(', ')}))`;

/** Builds the write that updates a knowledge base while its result is awaited. */
function buildResultWrite(
  owner: string,
  id: string,
  changes: Partial<StoredKnowledgeBase>,
  { clause = '', condition = '', names, values }: ExtraParts,
): Write {
  const set = Object.entries({ ...changes, updated_at: new Date().toISOString() });
  return {
    Update: {
      Key: toKnowledgeBaseKey(owner, id),
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')} ${clause}`,
      ConditionExpression: `${awaited} AND attribute_not_exists(deleting)${condition}`,
      ExpressionAttributeNames: {
        '#status': 'status',
        '#reason': 'status_reason',
        '#type': 'type',
        ...names,
        ...Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ':processing': 'processing',
        ...timeoutValues,
        ...values,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      },
    },
    toError: (stored) => new NotAwaited(stored),
  };
}

/** Stores the result of a knowledge base with its event. One round trip. Throws NotAwaited. */
export const storeResult = (
  owner: string,
  id: string,
  result: Partial<StoredKnowledgeBase>,
  event: Write,
): Promise<void> => write(buildResultWrite(owner, id, result, clearDue), event);

/** Stores that a knowledge base has failed by a timeout, unless it has a result. One round trip. Throws NotAwaited. */
export const storeTimeout: typeof storeResult = (owner, id, result, event) =>
  write(buildResultWrite(owner, id, result, { ...clearDue, condition: ' AND #status = :processing' }), event);

/** Records digest and size of a document. One round trip. Throws NotAwaited, also if another digest is recorded. */
export const recordDigest = (owner: string, id: string, bytes: { sha256: string; size_bytes: number }): Promise<void> =>
  write(
    buildResultWrite(owner, id, bytes, {
      condition: ' AND (attribute_type(#sha256, :null) OR #sha256 = :sha256)',
      values: { ':null': 'NULL' },
    }),
  );

/** Takes a knowledge base that is not processing out of the index of rows that wait. One round trip. */
export const stopWaiting = (owner: string, id: string): Promise<void> =>
  write({
    Update: {
      Key: toKnowledgeBaseKey(owner, id),
      UpdateExpression: clearDue.clause,
      ConditionExpression: 'attribute_exists(pk) AND (#status <> :processing OR attribute_exists(deleting))',
      ExpressionAttributeNames: { '#status': 'status', ...clearDue.names },
      ExpressionAttributeValues: { ':processing': 'processing' },
    },
    toError: () => new NotAwaited(),
  });

/** Maximum number of assistants per knowledge base. Its record lists them all. */
const maxAssistants = 1_000;

/** Builds the write that records an assistant with a knowledge base. `loc` is the location of its id in the request. */
export const buildLinkWrite = (owner: string, id: string, assistantId: string, ...loc: string[]): Write => ({
  Update: {
    Key: toKnowledgeBaseKey(owner, id),
    UpdateExpression: 'ADD assistants :self',
    ConditionExpression:
      'attribute_exists(pk) AND attribute_not_exists(deleting) AND ' +
      '(attribute_not_exists(assistants) OR contains(assistants, :id) OR size(assistants) < :max)',
    ExpressionAttributeValues: { ':self': new Set([assistantId]), ':id': assistantId, ':max': maxAssistants },
  },
  toError: (stored) =>
    !stored || !isVisible(stored)
      ? knowledgeBaseNotFound(...loc)
      : new Conflict(loc, 'It is attached to 1,000 assistants, the maximum: detach it from another one first'),
});

/** Builds the write that removes an assistant from a knowledge base. `notFoundError` is thrown if it does not exist. */
export const buildUnlinkWrite = (owner: string, id: string, assistantId: string, notFoundError: Error): Write => ({
  Update: {
    Key: toKnowledgeBaseKey(owner, id),
    UpdateExpression: 'DELETE assistants :self',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':self': new Set([assistantId]) },
  },
  toError: () => notFoundError,
});
