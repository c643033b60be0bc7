import { isDeepStrictEqual } from 'node:util';
import type { StoredAssistant } from '../domain/assistant.ts';
import type { Precondition } from '../domain/etag.ts';
import { type Attachments, currentOf } from '../domain/knowledge-base.ts';
import { PreconditionFailed } from '../errors.ts';
import { maxAttached, tooManyAttached } from './attached-limit.ts';
import { assistantKey, assistantsOf, deletedAssistantKey } from './keys.ts';
import { getSeveral, leftBy, usedBy } from './knowledge-bases.ts';
import { noAssistant } from './not-found.ts';
import { Outdated, settled } from './races.ts';
import { day, getAll, get as getItem, type Item, inSeconds, query } from './table.ts';
import { type Write, write } from './table-writes.ts';

/**
 * An assistant as an item. Its settings are open-ended JSON, which DynamoDB's own maps would change or refuse
 * (numbers, deep nesting), so they are kept as text.
 */
function toItem({ voice, llm, transcriber, knowledge_base, transport, ...rest }: StoredAssistant): Item {
  return { ...rest, settings: JSON.stringify({ voice, llm, transcriber, knowledge_base, transport }) };
}

function fromItem({ pk: _pk, sk: _sk, settings, ...rest }: Item): StoredAssistant {
  const assistant = { ...rest, ...JSON.parse(settings as string) } as StoredAssistant;
  return { ...assistant, knowledge_base: currentOf(assistant.knowledge_base, assistant.attachments) };
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
  if (!items.some((marker) => Number(marker.expires_at) > inSeconds(0))) throw noAssistant('body', 'assistant_id');
  return null;
}

/** Where a request names the knowledge base that its assistant reads. */
const namedIn = ['body', 'knowledge_base', 'vectorstore_namespace'];

/** Stores a new assistant, together with what else must be written. One round trip. Throws NotFound of what it attaches. */
export async function insert(owner: string, assistant: StoredAssistant, also: Write[]): Promise<void> {
  const attached = Object.keys(assistant.attachments).map((id) => usedBy(owner, id, assistant.id, ...namedIn));
  await write({ Put: { Item: { ...assistantKey(owner, assistant.id), ...toItem(assistant) } } }, ...attached, ...also);
}

/** Throws NotFound. One round trip. */
export async function get(owner: string, id: string): Promise<StoredAssistant> {
  const item = await getItem(assistantKey(owner, id));
  if (!item) throw noAssistant('path', 'assistant_id');
  return fromItem(item);
}

/** The assistants of a user, newest first, below an id. One round trip a megabyte read. */
export async function* list(owner: string, before?: string, pageSize?: number): AsyncGenerator<StoredAssistant> {
  const key = before === undefined ? undefined : assistantKey(owner, before).sk;
  for await (const item of query({ ...assistantsOf(owner), beyond: key, pageSize })) yield fromItem(item);
}

/** Replaces what a client may set, where nobody else has since, and attaches what it newly names. */
const replace = (owner: string, current: StoredAssistant, next: StoredAssistant) => {
  const { id, created_at: _, attachments: __, ...content } = toItem(next);
  const names = Object.keys(content);
  const added = Object.keys(next.attachments).filter((one) => !Object.hasOwn(current.attachments, one));
  const sets = names.map((name) => `#${name} = :${name}`);
  const attaches = added.map((_, i) => `attachments.#a${i} = if_not_exists(attachments.#a${i}, :now)`);
  const room = added.length > 0 ? ' AND size(attachments) < :max' : '';
  return write(
    {
      Update: {
        Key: assistantKey(owner, next.id),
        UpdateExpression: `SET ${[...sets, ...attaches].join(', ')}`,
        ConditionExpression: `#revision = :was${room}`,
        ExpressionAttributeNames: {
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ...Object.fromEntries(added.map((one, i) => [`#a${i}`, one])),
        },
        ExpressionAttributeValues: {
          ':was': next.revision - 1,
          ...Object.fromEntries(names.map((name) => [`:${name}`, content[name]])),
          ...(room && { ':max': maxAttached, ':now': next.updated_at }),
        },
      },
      refused: (stored) => {
        if (!stored) return noAssistant('path', 'assistant_id');
        return stored.revision === next.revision - 1 ? tooManyAttached(...namedIn) : new Outdated(stored);
      },
    },
    ...added.map((one) => usedBy(owner, one, next.id, ...namedIn)),
  );
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
      await replace(owner, current, next);
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

/** A knowledge base went while its assistant was being deleted. */
class Gone extends Outdated {}

/**
 * Deletes an assistant, and detaches its knowledge bases. For a day a marker stays, so that its last calls can still be logged.
 * One round trip, three where something is attached. Throws NotFound or PreconditionFailed.
 */
export async function remove(owner: string, id: string, { revisions }: Precondition): Promise<void> {
  let attachments: Attachments = {};
  const attempt = async () => {
    const attached = await getSeveral(owner, Object.keys(attachments));
    await write(
      {
        Delete: {
          Key: assistantKey(owner, id),
          ConditionExpression: `attachments = :seen${revisions ? ` AND revision IN (${revisions.map((_, i) => `:r${i}`)})` : ''}`,
          ExpressionAttributeValues: {
            ':seen': attachments,
            ...Object.fromEntries((revisions ?? []).map((revision, i) => [`:r${i}`, revision])),
          },
        },
        refused: (stored) => {
          if (!stored) return noAssistant('path', 'assistant_id');
          if (revisions && !revisions.includes(Number(stored.revision))) return new PreconditionFailed();
          attachments = stored.attachments as Attachments;
          return new Outdated();
        },
      },
      { Put: { Item: { ...deletedAssistantKey(owner, id), expires_at: inSeconds(day) } } },
      ...[...attached.keys()].map((one) => leftBy(owner, one, id, new Gone())),
    );
  };
  await settled(attempt, 'Others keep changing this assistant: try again');
}
