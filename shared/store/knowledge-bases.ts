import type { StoredKnowledgeBase } from '../domain/knowledge-base.ts';
import { Conflict } from '../errors.ts';
import { knowledgeBaseKey, knowledgeBasesOf } from './keys.ts';
import { noKnowledgeBase } from './not-found.ts';
import { getAll, get as getItem, type Item, query } from './table.ts';
import { type Write, write } from './table-writes.ts';

/** A knowledge base that is being deleted is hidden first: it is gone for everybody but who deletes it. */
const isVisible = ({ deleting }: Item) => deleting === undefined;

const fromItem = ({ pk: _, sk: __, ...rest }: Item): StoredKnowledgeBase => rest as unknown as StoredKnowledgeBase;

class AlreadyThere extends Error {}

/** The write of a new knowledge base. It never goes over one: by then it may have been read. */
export const insertion = (owner: string, knowledgeBase: StoredKnowledgeBase): Write => ({
  Put: {
    Item: { ...knowledgeBaseKey(owner, knowledgeBase.id), ...knowledgeBase },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  refused: () => new AlreadyThere(),
});

/** Stores a new knowledge base, together with what else must be written. One round trip. */
export async function insert(owner: string, knowledgeBase: StoredKnowledgeBase, also: Write[]): Promise<void> {
  await write(insertion(owner, knowledgeBase), ...also).catch((error) => {
    // Its id is new, so it is our own write, which the SDK has repeated since its answer was lost.
    if (!(error instanceof AlreadyThere)) throw error;
  });
}

/** Undefined where there is none. One round trip. */
export async function find(owner: string, id: string): Promise<StoredKnowledgeBase | undefined> {
  const item = await getItem(knowledgeBaseKey(owner, id));
  return item && isVisible(item) ? fromItem(item) : undefined;
}

/** Throws NotFound. One round trip. */
export async function get(owner: string, id: string): Promise<StoredKnowledgeBase> {
  const found = await find(owner, id);
  if (!found) throw noKnowledgeBase('path', 'knowledge_base_id');
  return found;
}

/** The knowledge bases of a user, newest first, below an id. One round trip a megabyte read. */
export async function* list(owner: string, before?: string, pageSize?: number): AsyncGenerator<StoredKnowledgeBase> {
  const key = before === undefined ? undefined : knowledgeBaseKey(owner, before).sk;
  const items = query({ ...knowledgeBasesOf(owner), beyond: key, pageSize });
  for await (const item of items) if (isVisible(item)) yield fromItem(item);
}

/** Several, by their id; those that are gone are left out. One round trip for a hundred, all at once; none for none. */
export async function getSeveral(owner: string, ids: Iterable<string>): Promise<Map<string, StoredKnowledgeBase>> {
  const items = await getAll([...new Set(ids)].map((id) => knowledgeBaseKey(owner, id)));
  return new Map(items.filter(isVisible).map((item) => [String(item.id), fromItem(item)]));
}

/** Thrown where a knowledge base is no longer waited for: it is deleted, or another attempt has ended. */
export class NotAwaited extends Error {
  /** The file that is searched, where it is ready. */
  readonly passages: unknown;
  constructor(stored: Item = {}) {
    super('NotAwaited');
    this.passages = isVisible(stored) ? stored.passages : undefined;
  }
}

/** What a change may ask for beside, as the end of a condition, and the values that it names. */
interface Demand {
  condition: string;
  values: Record<string, unknown>;
}

/** Changes a knowledge base that is being processed. One round trip. Throws NotAwaited. */
export async function change(
  owner: string,
  id: string,
  changes: Partial<StoredKnowledgeBase>,
  { condition, values }: Demand = { condition: '', values: {} },
): Promise<void> {
  const set = Object.entries({ ...changes, updated_at: new Date().toISOString() });
  await write({
    Update: {
      Key: knowledgeBaseKey(owner, id),
      UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: `#status = :processing AND attribute_not_exists(deleting)${condition}`,
      ExpressionAttributeNames: { '#status': 'status', ...Object.fromEntries(set.map(([name]) => [`#${name}`, name])) },
      ExpressionAttributeValues: {
        ':processing': 'processing',
        ...values,
        ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      },
    },
    refused: (stored) => new NotAwaited(stored),
  });
}

/** Notes of which bytes a document is. One round trip. Throws NotAwaited also where it is known to be of others. */
export const identify = (owner: string, id: string, bytes: { sha256: string; size_bytes: number }): Promise<void> =>
  change(owner, id, bytes, {
    condition: ' AND (attribute_type(#sha256, :null) OR #sha256 = :sha256)',
    values: { ':null': 'NULL' },
  });

/** To how many assistants one may be attached: its record names them all. */
const maxAssistants = 1_000;

/** Notes with a knowledge base that an assistant uses it. `loc` is where the request names it. */
export const usedBy = (owner: string, id: string, assistantId: string, ...loc: string[]): Write => ({
  Update: {
    Key: knowledgeBaseKey(owner, id),
    UpdateExpression: 'ADD assistants :self',
    ConditionExpression:
      'attribute_exists(pk) AND attribute_not_exists(deleting) AND ' +
      '(attribute_not_exists(assistants) OR contains(assistants, :id) OR size(assistants) < :max)',
    ExpressionAttributeValues: { ':self': new Set([assistantId]), ':id': assistantId, ':max': maxAssistants },
  },
  refused: (stored) =>
    !stored || !isVisible(stored)
      ? noKnowledgeBase(...loc)
      : new Conflict(loc, 'It is attached to 1,000 assistants, the most there may be: detach it from another first'),
});

/** … that it no longer does. `gone` is thrown where there is no such knowledge base. */
export const leftBy = (owner: string, id: string, assistantId: string, gone: Error): Write => ({
  Update: {
    Key: knowledgeBaseKey(owner, id),
    UpdateExpression: 'DELETE assistants :self',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':self': new Set([assistantId]) },
  },
  refused: () => gone,
});
