import type { StoredAssistant } from '../domain/assistant.ts';
import { type Attachments, attachedOf, type StoredKnowledgeBase } from '../domain/knowledge-base.ts';
import { NotFound } from '../errors.ts';
import type { AttachedKnowledgeBase } from '../schemas/assistant.ts';
import { maxAttached, tooManyAttached } from './attached-limit.ts';
import { assistantKey, type Key, knowledgeBaseKey } from './keys.ts';
import { getSeveral, insertion, leftBy, usedBy } from './knowledge-bases.ts';
import { noAssistant, noKnowledgeBase } from './not-found.ts';
import { getAll, type Item } from './table.ts';
import { type Write, write } from './table-writes.ts';

/**
 * Both sides of an attachment know of it: the assistant, to show and search what is attached, and the knowledge base, to stay
 * while it is in use. Both are written in one transaction.
 */

/** Sets an attachment of an assistant that exists, unless it is there already. */
const attached = (owner: string, id: string, knowledgeBaseId: string, at: string): Write => ({
  Update: {
    Key: assistantKey(owner, id),
    UpdateExpression: 'SET attachments.#id = if_not_exists(attachments.#id, :at)',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_exists(attachments.#id) OR size(attachments) < :max)',
    ExpressionAttributeNames: { '#id': knowledgeBaseId },
    ExpressionAttributeValues: { ':at': at, ':max': maxAttached },
  },
  refused: (stored) => (stored ? tooManyAttached('path', 'assistant_id') : noAssistant('path', 'assistant_id')),
});

/**
 * Attaches a knowledge base to an assistant, and gives when it was attached: at its first time. Two round trips, one where it
 * is attached already. Throws NotFound, or Conflict where there are too many.
 */
export async function attach(owner: string, assistantId: string, id: string): Promise<string> {
  const keys: [Key, Key] = [assistantKey(owner, assistantId), knowledgeBaseKey(owner, id)];
  const items = await getAll(keys);
  const [assistant, knowledgeBase] = keys.map(({ sk }) => items.find((item) => item.sk === sk));
  if (!assistant) throw noAssistant('path', 'assistant_id');
  if (!knowledgeBase || knowledgeBase.deleting) throw noKnowledgeBase('path', 'knowledge_base_id');
  const since = attachmentsOf(assistant)[id];
  if (since) return since;
  const now = new Date().toISOString();
  await write(attached(owner, assistantId, id, now), usedBy(owner, id, assistantId, 'path', 'knowledge_base_id'));
  return now;
}

const attachmentsOf = ({ attachments }: Item) => attachments as Attachments;

/**
 * Stores a new knowledge base that knows its assistant already, attached to it, together with what else must be written.
 * One round trip. Throws NotFound, or Conflict where there are too many.
 */
export async function insertAttached(
  owner: string,
  assistantId: string,
  knowledgeBase: StoredKnowledgeBase,
  also: Write[],
): Promise<void> {
  await write(
    attached(owner, assistantId, knowledgeBase.id, knowledgeBase.created_at),
    insertion(owner, knowledgeBase),
    ...also,
  );
}

/** Takes an attachment from an assistant. */
const detached = (owner: string, assistantId: string, id: string): Write => ({
  Update: {
    Key: assistantKey(owner, assistantId),
    UpdateExpression: 'REMOVE attachments.#id',
    ConditionExpression: 'attribute_exists(attachments.#id)',
    ExpressionAttributeNames: { '#id': id },
  },
  refused: (stored) =>
    stored
      ? new NotFound(['path', 'knowledge_base_id'], 'This knowledge base is not attached to the assistant')
      : noAssistant('path', 'assistant_id'),
});

/** The knowledge base is gone, and the assistant still names it. */
class Dangling extends Error {}

/** Detaches a knowledge base from an assistant; it stays. One round trip. Throws NotFound. */
export async function detach(owner: string, assistantId: string, id: string): Promise<void> {
  try {
    await write(detached(owner, assistantId, id), leftBy(owner, id, assistantId, new Dangling()));
  } catch (error) {
    if (!(error instanceof Dangling)) throw error;
    await write(detached(owner, assistantId, id));
  }
}

/** What an assistant shows of its knowledge bases, as they are now. One round trip, none where nothing is attached. */
export async function shownOf(owner: string, { attachments }: StoredAssistant): Promise<AttachedKnowledgeBase[]> {
  return attachedOf(attachments, await getSeveral(owner, Object.keys(attachments)));
}

/** How many assistants of a listing are looked at together, or as many as a page holds. */
const together = 50;

/** The assistants of a listing, each with what it shows of its knowledge bases. A round trip for fifty, where some have any. */
export async function* withAttached(
  owner: string,
  listing: AsyncIterable<StoredAssistant>,
  pageSize = together,
): AsyncGenerator<{ assistant: StoredAssistant; attached: AttachedKnowledgeBase[] }> {
  let batch: StoredAssistant[] = [];
  const joined = async () => {
    const found = await getSeveral(
      owner,
      batch.flatMap(({ attachments }) => Object.keys(attachments)),
    );
    return batch.map((assistant) => ({ assistant, attached: attachedOf(assistant.attachments, found) }));
  };
  for await (const assistant of listing) {
    if (batch.push(assistant) < Math.min(together, pageSize)) continue;
    yield* await joined();
    batch = [];
  }
  yield* await joined();
}
