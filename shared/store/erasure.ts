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
    `It is in use (assistants: ${(assistants as Set<string> | undefined)?.size}): detach it, or add ?force=true`,
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

/** Notes which assistants no longer have it, so that a repeat begins with the others. */
const done = (owner: string, id: string, assistants: string[]): Write => ({
  Update: {
    Key: knowledgeBaseKey(owner, id),
    UpdateExpression: 'DELETE assistants :done',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':done': new Set(assistants) },
  },
  refused: notFound,
});

class Absent extends Error {}

async function forget(owner: string, assistantId: string, id: string): Promise<void> {
  await write(forgotten(owner, assistantId, id)).catch((error) => {
    if (!(error instanceof Absent)) throw error;
  });
}

/**
 * Deletes a knowledge base: hides it, deletes its files, takes it from its assistants, then deletes its record. Whoever asks again
 * after a fault goes on with it. Six round trips, one for each assistant, and one more for each 25. Throws NotFound, or Conflict where it is attached and
 * not forced.
 */
export async function erase(owner: string, id: string, force: boolean): Promise<void> {
  const Key = knowledgeBaseKey(owner, id);
  const isBegun = (await get(Key))?.deleting === true;
  if (!isBegun) await write(hidden(owner, id, force));
  // Read again: nothing is attached to what is hidden, and its reading ends without a result.
  const item = await get(Key);
  if (!item) throw notFound();
  await removeDocument(owner, id);
  const assistants = [...((item.assistants as Set<string> | undefined) ?? [])];
  for (let from = 0; from < assistants.length; from += together) {
    const some = assistants.slice(from, from + together);
    await Promise.all(some.map((assistantId) => forget(owner, assistantId, id)));
    await write(done(owner, id, some));
  }
  await write({ Delete: { Key } });
}
