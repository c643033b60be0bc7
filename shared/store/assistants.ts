import { isDeepStrictEqual } from 'node:util';
import type { StoredAssistant } from '../domain/assistant.ts';
import type { Precondition } from '../domain/etag.ts';
import { NotFound, PreconditionFailed } from '../errors.ts';
import { assistantKey, assistantsOf, deletedAssistantKey } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { day, getAll, get as getItem, type Item, inSeconds, query } from './table.ts';
import { type Write, write } from './table-writes.ts';

const notFound = (part = 'path') => new NotFound([part, 'assistant_id'], 'You have no assistant with this id');

/**
 * An assistant as an item. Its settings are open-ended JSON, which DynamoDB's own maps would change or refuse
 * (numbers, deep nesting), so they are kept as text.
 */
function toItem({ voice, llm, transcriber, knowledge_base, transport, ...rest }: StoredAssistant): Item {
  return { ...rest, settings: JSON.stringify({ voice, llm, transcriber, knowledge_base, transport }) };
}

function fromItem({ pk: _pk, sk: _sk, settings, ...rest }: Item): StoredAssistant {
  return { ...rest, ...JSON.parse(settings as string) } as StoredAssistant;
}

/**
 * The name of an assistant that a body names for its logs: one that exists, or was deleted less than a day ago (then null).
 * One round trip. Throws NotFound.
 */
export async function nameForLogs(owner: string, id: string): Promise<string | null> {
  const keys = [assistantKey(owner, id), deletedAssistantKey(owner, id)];
  const items = await getAll(keys);
  const living = items.find(({ sk }) => sk === keys[0]?.sk);
  if (living) return living.name as string;
  if (!items.some((marker) => Number(marker.expires_at) > inSeconds(0))) throw notFound('body');
  return null;
}

/** Stores a new assistant, together with what else must be written. One round trip. */
export async function insert(owner: string, assistant: StoredAssistant, also: Write[]): Promise<void> {
  await write({ Put: { Item: { ...assistantKey(owner, assistant.id), ...toItem(assistant) } } }, ...also);
}

/** Throws NotFound. One round trip. */
export async function get(owner: string, id: string): Promise<StoredAssistant> {
  const item = await getItem(assistantKey(owner, id));
  if (!item) throw notFound();
  return fromItem(item);
}

/** The assistants of a user, newest first, below an id. One round trip a megabyte read. */
export async function* list(owner: string, before?: string, pageSize?: number): AsyncGenerator<StoredAssistant> {
  const key = before === undefined ? undefined : assistantKey(owner, before).sk;
  for await (const item of query({ ...assistantsOf(owner), beyond: key, pageSize })) yield fromItem(item);
}

/** Replaces what a client may set, where nobody else has since `next` was made. Attachments stay as they are. */
const replace = (owner: string, next: StoredAssistant) => {
  const { id, created_at: _, ...content } = toItem(next);
  const names = Object.keys(content);
  return write({
    Update: {
      Key: assistantKey(owner, next.id),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: '#revision = :was',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':was': next.revision - 1,
        ...Object.fromEntries(names.map((name) => [`:${name}`, content[name]])),
      },
    },
    refused: (stored) => (stored ? new Outdated(stored) : notFound()),
  });
};

/**
 * Changes an assistant. `change` is a pure function of the current one, and is asked again with the fresh one when another
 * writer was faster, so that writers of different fields all keep their change. What `change` throws ends it.
 * Two round trips, one when nothing changes. Throws NotFound, or Conflict after five lost races.
 */
export async function update(
  owner: string,
  id: string,
  change: (current: StoredAssistant) => StoredAssistant,
): Promise<StoredAssistant> {
  let current = await get(owner, id);
  const attempt = async () => {
    const next = change(current);
    if (next === current) return current;
    try {
      await replace(owner, next);
    } catch (error) {
      if (!(error instanceof Outdated && error.stored)) throw error;
      current = fromItem(error.stored);
      // The SDK repeats a request whose answer was lost: then it is our own write that we meet.
      if (!isDeepStrictEqual(current, next)) throw error;
    }
    return next;
  };
  return settled(attempt, 'Too many others are changing this assistant: try again');
}

/**
 * Deletes an assistant. For a day a marker stays, so that its last calls can still be logged. One round trip.
 * Throws NotFound or PreconditionFailed.
 */
export async function remove(owner: string, id: string, precondition: Precondition): Promise<void> {
  const revisions = precondition.revisions?.map((revision, i) => [`:r${i}`, revision] as const);
  await write(
    {
      Delete: {
        Key: assistantKey(owner, id),
        ...(revisions
          ? {
              ConditionExpression: `revision IN (${revisions.map(([name]) => name).join(', ')})`,
              ExpressionAttributeValues: Object.fromEntries(revisions),
            }
          : { ConditionExpression: 'attribute_exists(pk)' }),
      },
      refused: (stored) => (stored ? new PreconditionFailed() : notFound()),
    },
    { Put: { Item: { ...deletedAssistantKey(owner, id), expires_at: inSeconds(day) } } },
  );
}
