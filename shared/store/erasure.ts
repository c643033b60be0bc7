import { Conflict } from '../errors.ts';
import * as files from './files.ts';
import { pathOf } from './folders.ts';
import { assistantKey, knowledgeBaseKey } from './keys.ts';
import { noKnowledgeBase } from './not-found.ts';
import { removeDocument } from './passage-files.ts';
import { get, type Item } from './table.ts';
import { type Write, write } from './table-writes.ts';
import { type Owned, ownerOf } from './uploads.ts';

/** An empty file, whose arrival has a queue look whether the deletion that it announces has ended. */
const erasureKey = (owner: string, id: string): string => pathOf('erasures', owner, id);

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
  refused: () => new Absent(),
});

class Absent extends Error {}

/** Writes where there is something to write to. */
async function writeIfThere(change: Write): Promise<void> {
  await write(change).catch((error) => {
    if (!(error instanceof Absent)) throw error;
  });
}

/**
 * Deletes a knowledge base: announces it, hides it, deletes its files, takes it from its assistants, then deletes its record.
 * Where it is broken off, it is ended by the queue, or by whoever asks again. Eight round trips, one for each assistant, and
 * one more for each 25. Throws NotFound, or Conflict where it is attached and not forced.
 */
export async function erase(owner: string, id: string, force: boolean): Promise<void> {
  const item = await get(knowledgeBaseKey(owner, id));
  if (!item) throw notFound();
  const isBegun = item.deleting !== undefined;
  if (!isBegun) {
    if (item.assistants && !force) throw inUse(item);
    await files.put(erasureKey(owner, id), new Uint8Array());
    await write(hidden(owner, id, force));
  }
  // What we have hidden and do not find any more, another has ended: the queue, or whoever asked as well.
  if (!(await goOn(owner, id)) && isBegun) throw notFound();
}

/** The knowledge base whose deletion an event of S3 announces; undefined where it is another event. */
export const erasureAt = (detail: Record<string, unknown>): Owned | undefined => ownerOf('erasures', detail);

/** Thrown where a message comes too early. It comes again, and nothing is wrong. */
export class TooEarly extends Error {}

/**
 * Ends a deletion that was broken off. Gives what is to be logged of it. Throws TooEarly where the record is there in the first
 * attempt: whoever announced the deletion may still be at it.
 */
export async function sweep({ owner, id }: Owned, attempt: number): Promise<object> {
  if (attempt === 1 && (await get(knowledgeBaseKey(owner, id)))) throw new TooEarly();
  return { knowledge_base: id, outcome: (await goOn(owner, id)) ? 'erased' : 'nothing to erase' };
}

/** Goes on with a deletion to its end. False where none was begun, or it has ended. Five round trips or more, see `erase`. */
async function goOn(owner: string, id: string): Promise<boolean> {
  const Key = knowledgeBaseKey(owner, id);
  // Read only now: nothing is attached to what is hidden, and its reading ends without a result.
  const item = await get(Key);
  if (item?.deleting === undefined) {
    await files.remove(erasureKey(owner, id));
    return false;
  }
  await Promise.all([removeDocument(owner, id), files.remove(erasureKey(owner, id))]);
  const assistants = [...((item.assistants as Set<string> | undefined) ?? [])];
  for (let from = 0; from < assistants.length; from += together) {
    const some = assistants.slice(from, from + together);
    await Promise.all(some.map((assistantId) => writeIfThere(forgotten(owner, assistantId, id))));
    await writeIfThere(done(owner, id, some));
  }
  await write({ Delete: { Key } });
  return true;
}
