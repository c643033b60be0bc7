import type { StoredAssistant } from '../../domain/assistant.ts';
import { type Attachments, type StoredKnowledgeBase, toAttachedKnowledgeBases } from '../../domain/knowledge-base.ts';
import { NotFound } from '../../errors.ts';
import type { AttachedKnowledgeBase } from '../../schemas/assistant.ts';
import type { AssistantRow } from '../assistants.ts';
import { type Key, toAssistantKey, toKnowledgeBaseKey } from '../table/keys.ts';
import { assistantNotFound, knowledgeBaseNotFound } from '../table/not-found.ts';
import { getAll, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';
import { maxAttached, tooManyAttached } from './attached-limit.ts';
import { buildInsertWrite, buildLinkWrite, buildUnlinkWrite, getMany } from './knowledge-bases.ts';

/**
 * Attachments are stored on both sides, in one transaction: on the assistant, to list and search its knowledge bases,
 * and on the knowledge base, to refuse its deletion while it is in use.
 */

/** Builds the write that adds an attachment to an existing assistant. Keeps the time of an existing attachment. */
const buildAttachWrite = (owner: string, id: string, knowledgeBaseId: string, at: string): Write => ({
  Update: {
    Key: toAssistantKey(owner, id),
    UpdateExpression: 'SET attachments.#id = if_not_exists(attachments.#id, :at)',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_exists(attachments.#id) OR size(attachments) < :max)',
    ExpressionAttributeNames: { '#id': knowledgeBaseId },
    ExpressionAttributeValues: { ':at': at, ':max': maxAttached },
  },
  toError: (stored) => (stored ? tooManyAttached('path', 'assistant_id') : assistantNotFound('path', 'assistant_id')),
});

/**
 * Attaches a knowledge base to an assistant, in one transaction with the extra writes, and returns the time when it was first attached. Two round trips, one if
 * it is already attached. Throws NotFound, or Conflict at the maximum number.
 */
export async function attach(owner: string, assistantId: string, id: string, extraWrites: Write[]): Promise<string> {
  const keys: [Key, Key] = [toAssistantKey(owner, assistantId), toKnowledgeBaseKey(owner, id)];
  const rows = await getAll(keys);
  const [assistant, knowledgeBase] = keys.map(({ sk }) => rows.find((item) => item.sk === sk));
  if (!assistant) throw assistantNotFound('path', 'assistant_id');
  if (!knowledgeBase || knowledgeBase.deleting) throw knowledgeBaseNotFound('path', 'knowledge_base_id');
  const attachedAt = getAttachments(assistant)[id];
  if (attachedAt) return attachedAt;
  const now = new Date().toISOString();
  await write(
    buildAttachWrite(owner, assistantId, id, now),
    buildLinkWrite(owner, id, assistantId, 'path', 'knowledge_base_id'),
    ...extraWrites,
  );
  return now;
}

const getAttachments = ({ attachments }: Row) => attachments as Attachments;

/**
 * Stores a new knowledge base and attaches it to the assistant that it already names, in one transaction with the extra
 * writes. One round trip. Throws NotFound, or Conflict at the maximum number.
 */
export async function insertAttached(
  owner: string,
  assistantId: string,
  knowledgeBase: StoredKnowledgeBase,
  extraWrites: Write[],
): Promise<void> {
  await write(
    buildAttachWrite(owner, assistantId, knowledgeBase.id, knowledgeBase.created_at),
    buildInsertWrite(owner, knowledgeBase),
    ...extraWrites,
  );
}

/** Builds the write that removes an attachment from an assistant. */
const buildDetachWrite = (owner: string, assistantId: string, id: string): Write => ({
  Update: {
    Key: toAssistantKey(owner, assistantId),
    UpdateExpression: 'REMOVE attachments.#id',
    ConditionExpression: 'attribute_exists(attachments.#id)',
    ExpressionAttributeNames: { '#id': id },
  },
  toError: (stored) =>
    stored
      ? new NotFound(['path', 'knowledge_base_id'], 'This knowledge base is not attached to the assistant')
      : assistantNotFound('path', 'assistant_id'),
});

/** The assistant has an attachment to a knowledge base that no longer exists. */
class Dangling extends Error {}

/**
 * Detaches a knowledge base from an assistant, without deleting it, in one transaction with the extra writes. One round
 * trip. Throws NotFound.
 */
export async function detach(owner: string, assistantId: string, id: string, extraWrites: Write[]): Promise<void> {
  try {
    const unlink = buildUnlinkWrite(owner, id, assistantId, new Dangling());
    await write(buildDetachWrite(owner, assistantId, id), unlink, ...extraWrites);
  } catch (error) {
    if (!(error instanceof Dangling)) throw error;
    await write(buildDetachWrite(owner, assistantId, id), ...extraWrites);
  }
}

/**
 * Lists the attached knowledge bases of an assistant with their current state. One round trip, none without
 * attachments.
 */
export async function listAttached(owner: string, { attachments }: StoredAssistant): Promise<AttachedKnowledgeBase[]> {
  return toAttachedKnowledgeBases(attachments, await getMany(owner, Object.keys(attachments)));
}

/** Maximum number of assistants per lookup of their knowledge bases. */
const batchSize = 50;

/**
 * Adds attached knowledge bases to a listing of assistants. One round trip per 50 assistants, none if nothing is
 * attached.
 */
export async function* joinAttached(
  owner: string,
  listing: AsyncIterable<AssistantRow>,
  pageSize = batchSize,
): AsyncGenerator<{ row: AssistantRow; attached: AttachedKnowledgeBase[] }> {
  let batch: AssistantRow[] = [];
  const joinBatch = async () => {
    const found = await getMany(
      owner,
      batch.flatMap(({ attachments }) => Object.keys(attachments)),
    );
    return batch.map((row) => ({ row, attached: toAttachedKnowledgeBases(row.attachments, found) }));
  };
  for await (const row of listing) {
    if (batch.push(row) < Math.min(batchSize, pageSize)) continue;
    yield* await joinBatch();
    batch = [];
  }
  yield* await joinBatch();
}
