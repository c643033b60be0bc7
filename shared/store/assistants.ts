import type { StoredAssistant } from '../domain/assistant.ts';
import type { Precondition } from '../domain/etag.ts';
import { type Attachments, clearDetached } from '../domain/knowledge-base.ts';
import { noVersions, type Versions } from '../domain/versions/versions.ts';
import { PreconditionFailed } from '../errors.ts';
import { defaultCallSettings } from '../schemas/assistant.ts';
import type { Prices } from '../schemas/usage.ts';
import { maxAttached, tooManyAttached } from './knowledge-bases/attached-limit.ts';
import { buildLinkWrite, buildUnlinkWrite, getMany } from './knowledge-bases/knowledge-bases.ts';
import { type Key, toAssistantKey, toAssistantsPrefix, toDeletedAssistantKey, toPricesKey } from './table/keys.ts';
import { assistantNotFound } from './table/not-found.ts';
import { Outdated, retryOnConflict } from './table/retry-on-conflict.ts';
import { daySeconds, getAll, get as getItem, getUnixSeconds, query, type Row } from './table/table.ts';
import { type Write, write } from './table/writes.ts';
import { toPrices } from './usage/prices.ts';
import { buildDeletionMarker } from './versions/deletion.ts';

/**
 * Converts an assistant to a row. Its settings are open-ended JSON, stored as text, since DynamoDB maps would change or
 * reject some of it (numbers, deep nesting). Its versions are written by `updateVersions`.
 */
function toRow({ voice, llm, transcriber, knowledge_base, transport, ...rest }: StoredAssistant): Row {
  const { variables, timezone, tools, mcp_servers, versions: _, ...others } = rest;
  const settings = { voice, llm, transcriber, knowledge_base, transport, variables, timezone, tools, mcp_servers };
  return { ...others, settings: JSON.stringify(settings) };
}

/** The row of an assistant. Its settings are text: parsed, they may take ten times the memory. */
export interface AssistantRow extends Row, Pick<StoredAssistant, 'id' | 'name' | 'attachments' | 'created_at'> {}

/** Converts a row to an assistant. */
export function fromRow({ pk: _pk, sk: _sk, settings, ...rest }: Row): StoredAssistant {
  const absent = { ...defaultCallSettings, versions: noVersions };
  const assistant = { ...absent, ...rest, ...JSON.parse(settings as string) } as StoredAssistant;
  return { ...assistant, knowledge_base: clearDetached(assistant.knowledge_base, assistant.attachments) };
}

/**
 * Returns what saving a call log needs: the user's prices, and the name of the assistant, null if it was deleted less than a day ago,
 * so that its last calls can still be logged. One round trip. Throws NotFound.
 */
export async function getForLogs(owner: string, id: string): Promise<{ name: string | null; prices: Prices }> {
  const [assistant, deleted, prices] = [
    toAssistantKey(owner, id),
    toDeletedAssistantKey(owner, id),
    toPricesKey(owner),
  ];
  const rows = await getAll([assistant, deleted, prices]);
  const find = (key: Key) => rows.find(({ sk }) => sk === key.sk);
  const found = find(assistant);
  if (!found && !(Number(find(deleted)?.expires_at) > getUnixSeconds(0)))
    throw assistantNotFound('body', 'assistant_id');
  return { name: (found?.name as string | undefined) ?? null, prices: toPrices(find(prices)) };
}

/** Location of the knowledge base id in a body, for faults. */
const namespaceLoc = ['body', 'knowledge_base', 'vectorstore_namespace'];

/**
 * Stores a new assistant, in one transaction with the extra writes. One round trip. Throws NotFound for a knowledge
 * base.
 */
export async function insert(owner: string, assistant: StoredAssistant, extraWrites: Write[]): Promise<void> {
  const linkWrites = Object.keys(assistant.attachments).map((id) =>
    buildLinkWrite(owner, id, assistant.id, ...namespaceLoc),
  );
  await write(
    { Put: { Item: { ...toAssistantKey(owner, assistant.id), ...toRow(assistant) } } },
    ...linkWrites,
    ...extraWrites,
  );
}

/** Returns an assistant. `loc` is the location of its id in the request. One round trip. Throws NotFound. */
export async function get(owner: string, id: string, loc = ['path', 'assistant_id']): Promise<StoredAssistant> {
  const row = await getItem(toAssistantKey(owner, id));
  if (!row) throw assistantNotFound(...loc);
  return fromRow(row);
}

/** Lists the rows of a user's assistants, newest first, starting after the id `before`. One round trip per megabyte read. */
export function list(owner: string, before?: string, pageSize?: number): AsyncGenerator<AssistantRow> {
  const after = before === undefined ? undefined : toAssistantKey(owner, before).sk;
  return query({ ...toAssistantsPrefix(owner), after, pageSize }) as AsyncGenerator<AssistantRow>;
}

/**
 * Writes the fields that a client may set, unless the assistant has changed since. Attaches the newly named knowledge
 * base.
 */
const replace = (owner: string, current: StoredAssistant, next: StoredAssistant, extraWrites: Write[]) => {
  const { id, created_at: _, attachments: __, ...content } = toRow(next);
  const names = Object.keys(content);
  const added = Object.keys(next.attachments).filter((one) => !Object.hasOwn(current.attachments, one));
  const setClauses = names.map((name) => `#${name} = :${name}`);
  const attachClauses = added.map((_, i) => `attachments.#a${i} = if_not_exists(attachments.#a${i}, :now)`);
  const limitCondition = added.length > 0 ? ' AND size(attachments) < :max' : '';
  return write(
    {
      Update: {
        Key: toAssistantKey(owner, next.id),
        UpdateExpression: `SET ${[...setClauses, ...attachClauses].join(', ')}`,
        ConditionExpression: `#revision = :was${limitCondition}`,
        ExpressionAttributeNames: {
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ...Object.fromEntries(added.map((one, i) => [`#a${i}`, one])),
        },
        ExpressionAttributeValues: {
          ':was': next.revision - 1,
          ...Object.fromEntries(names.map((name) => [`:${name}`, content[name]])),
          ...(limitCondition && { ':max': maxAttached, ':now': next.updated_at }),
        },
      },
      toError: (stored) => {
        if (!stored) return assistantNotFound('path', 'assistant_id');
        return stored.revision === next.revision - 1 ? tooManyAttached(...namespaceLoc) : new Outdated(stored);
      },
    },
    ...added.map((one) => buildLinkWrite(owner, one, next.id, ...namespaceLoc)),
    ...extraWrites,
  );
};

/**
 * Updates an assistant with `change`, a pure function of the current version, in one transaction with the extra writes. On a concurrent update, it runs again
 * with the fresh version, so that writers of different fields all keep their change. Two round trips, one if nothing
 * changes. Throws NotFound, errors of `change`, or Conflict after five conflicting writes.
 */
export async function update(
  owner: string,
  id: string,
  change: (current: StoredAssistant) => StoredAssistant | Promise<StoredAssistant>,
  buildExtraWrites: (current: StoredAssistant, next: StoredAssistant) => Write[],
): Promise<StoredAssistant> {
  let current = await get(owner, id);
  const attempt = async () => {
    const next = await change(current);
    if (next === current) return current;
    try {
      await replace(owner, current, next, buildExtraWrites(current, next));
    } catch (error) {
      if (error instanceof Outdated && error.stored) current = fromRow(error.stored);
      throw error;
    }
    return next;
  };
  return retryOnConflict(attempt, 'Too many other requests are changing this assistant: try again');
}

/** A change of the versions of an assistant, with the writes that belong to it. */
export interface VersionsChange<T> {
  versions: Versions;
  extraWrites: Write[];
  result: T;
}

/**
 * Updates which versions an assistant has and which of them are live, in one transaction with the extra writes. On a concurrent
 * update of the assistant, `change` runs again. Two round trips in addition to those of `change`. Throws NotFound, errors of `change`, or
 * Conflict after five conflicting writes.
 */
export async function updateVersions<T>(
  owner: string,
  id: string,
  change: (current: StoredAssistant) => Promise<VersionsChange<T>>,
): Promise<T> {
  const attempt = async () => {
    const current = await get(owner, id);
    const { versions, extraWrites, result } = await change(current);
    const isFirst = current.versions.last === 0;
    if (versions === current.versions) {
      const [first, ...others] = extraWrites;
      if (first) await write(first, ...others);
      return result;
    }
    const update: Write = {
      Update: {
        Key: toAssistantKey(owner, id),
        UpdateExpression: 'SET versions = :next',
        ConditionExpression: `revision = :revision AND ${isFirst ? 'attribute_not_exists(versions)' : 'versions = :seen'}`,
        ExpressionAttributeValues: {
          ':next': versions,
          ':revision': current.revision,
          ...(!isFirst && { ':seen': current.versions }),
        },
      },
      toError: (stored) => (stored ? new Outdated() : assistantNotFound('path', 'assistant_id')),
    };
    await write(update, ...extraWrites);
    return result;
  };
  return retryOnConflict(attempt, 'Too many other requests are changing this assistant: try again');
}

/** A knowledge base was deleted concurrently with its assistant. */
class KnowledgeBaseGone extends Outdated {}

/**
 * Deletes an assistant, and detaches its knowledge bases. A marker stays for a day, so that its last calls can still be
 * logged, and another one until `sweep` has deleted its versions. One round trip, three if knowledge bases are attached, two if
 * there are versions. Throws NotFound, PreconditionFailed, or Conflict after five conflicting writes.
 */
export async function remove(
  owner: string,
  id: string,
  { revisions }: Precondition,
  extraWrites: Write[],
): Promise<void> {
  let attachments: Attachments = {};
  let hasVersions = false;
  const attempt = async () => {
    const knowledgeBases = await getMany(owner, Object.keys(attachments));
    await write(
      {
        Delete: {
          Key: toAssistantKey(owner, id),
          ConditionExpression: [
            'attachments = :seen',
            `attribute_${hasVersions ? '' : 'not_'}exists(versions)`,
            ...(revisions ? [`revision IN (${revisions.map((_, i) => `:r${i}`)})`] : []),
          ].join(' AND '),
          ExpressionAttributeValues: {
            ':seen': attachments,
            ...Object.fromEntries((revisions ?? []).map((revision, i) => [`:r${i}`, revision])),
          },
        },
        toError: (stored) => {
          if (!stored) return assistantNotFound('path', 'assistant_id');
          if (revisions && !revisions.includes(Number(stored.revision))) return new PreconditionFailed();
          attachments = stored.attachments as Attachments;
          hasVersions = stored.versions !== undefined;
          return new Outdated();
        },
      },
      { Put: { Item: { ...toDeletedAssistantKey(owner, id), expires_at: getUnixSeconds(daySeconds) } } },
      ...(hasVersions ? [buildDeletionMarker(owner, id)] : []),
      ...[...knowledgeBases.keys()].map((one) => buildUnlinkWrite(owner, one, id, new KnowledgeBaseGone())),
      ...extraWrites,
    );
  };
  await retryOnConflict(attempt, 'Too many other requests are changing this assistant: try again');
}
