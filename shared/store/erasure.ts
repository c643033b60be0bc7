import { Conflict } from '../errors.ts';
import { assistantKey, knowledgeBaseKey } from './keys.ts';
import { noKnowledgeBase } from './not-found.ts';
import { removeDocument } from './passage-files.ts';
import { get, type Item } from './table.ts';
import { type Write, write } from './table-writes.ts';

/** How many assistants are written to at once. */
const together = 25;

const notFound = () => noKnowledgeBase('path', 'knowledge_base_id');

/** Nobody sees it from now on; what hid it may go on deleting it. */
const hidden = (owner: string, id: string, force: boolean): Write => ({
  Update: {
    Key: knowledgeBaseKey(owner, id),
    UpdateExpression: 'SET deleting = :true',
    ConditionExpression: `attribute_exists(pk)${force ? '' : ' AND attribute_not_exists(assistants)'}`,
    ExpressionAttributeValues: { ':true': true },
  },
  refused: (stored) => (stored ? inUse(stored) : notFound()),
});

const inUse = ({ assistants }: Item) =>
  new Conflict(
    ['query', 'force'],
    `It is attached to ${(assistants as Set<string> | undefined)?.size} assistants: detach it, or add ?force=true`,
  );

/** Takes it from an assistant, which may be gone. */
const forgotten = (owner: string, assistantId: string, id: string): Write => ({
  Update: {
    Key: assistantKey(owner, assistantId),
    UpdateExpression: 'REMOVE attachments.#id',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#id': id },
  },
  refused: () => new Absent(),
});

class Absent extends Error {}

async function forget(owner: string, assistantId: string, id: string): Promise<void> {
  await write(forgotten(owner, assistantId, id)).catch((error) => {
    if (!(error instanceof Absent)) throw error;
  });
}

/**
 * Deletes a knowledge base: hides it, takes it from its assistants, deletes its files, then its record. Whoever asks again after
 * a fault completes it. Four round trips, and one for each assistant. Throws NotFound, or Conflict where it is attached and
 * not forced.
 */
export async function erase(owner: string, id: string, force: boolean): Promise<void> {
  const Key = knowledgeBaseKey(owner, id);
  const isBegun = (await get(Key))?.deleting === true;
  if (!isBegun) await write(hidden(owner, id, force));
  // Read again: nothing is attached to what is hidden, and its reading ends without a result.
  const item = await get(Key);
  if (!item) throw notFound();
  const assistants = [...((item.assistants as Set<string> | undefined) ?? [])];
  for (let from = 0; from < assistants.length; from += together) {
    await Promise.all(assistants.slice(from, from + together).map((assistantId) => forget(owner, assistantId, id)));
  }
  await removeDocument(owner, id);
  await write({ Delete: { Key } });
}
