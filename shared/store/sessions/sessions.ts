import { takeFirst } from '../../domain/page.ts';
import {
  type CallVersion,
  findLongestPrefix,
  type NewCall,
  type StoredCall,
  toCallVersion,
} from '../../domain/session.ts';
import { getIdTime } from '../../domain/time-id.ts';
import { type Counters, foldChosenNames, subtractCounters } from '../../domain/usage.ts';
import { Unavailable } from '../../errors.ts';
import type { Session } from '../../schemas/session.ts';
import {
  type Key,
  toAssistantSessionsKey,
  toCallVersionsPrefix,
  toCountKey,
  toRoomKey,
  toSessionKey,
  toTranscriptKey,
} from '../table/keys.ts';
import { isRetained, toExpiry } from '../table/retention.ts';
import { Outdated, retryOnConflict } from '../table/retry-on-conflict.ts';
import { get as getItem, query, type Row } from '../table/table.ts';
import { type Write, write } from '../table/writes.ts';
import { buildUsageWrites } from '../usage/usage.ts';
import { buildCountUpdate } from './count.ts';
import { toSession } from './session-rows.ts';
import { find as findCall, parseSessionId, sessionNotFound } from './stored-calls.ts';
import { removeTranscript, type StoredTranscript, storeTranscript } from './transcripts.ts';

const toOutdated = (stored: Row | undefined) => new Outdated(stored);

/** Builds the write that changes a user's session count for the day of this session. */
function buildCountWrite(owner: string, sessionId: string, by: 1 | -1): Write {
  const { expires_at } = toExpiry(sessionId);
  return { Update: { Key: toCountKey(owner, sessionId), ...buildCountUpdate(by, expires_at) } };
}

/**
 * Builds the row of a session without its transcript, since listings read many rows. Leaves out null fields. `telling`
 * is the sort key of the saved version.
 */
function toSessionRow(
  owner: string,
  { session }: StoredCall,
  { file, bytes }: StoredTranscript,
  version: Key | undefined,
): Row {
  const { session_id, ...fields } = session;
  const presentFields = Object.entries({ ...fields, file, bytes, telling: version?.sk }).filter(
    ([, value]) => value != null,
  );
  return {
    ...toSessionKey(owner, session_id),
    ...Object.fromEntries(presentFields),
    ...toExpiry(session_id),
    'by-assistant': toAssistantSessionsKey(owner, session.assistant_id),
    'by-room': toRoomKey(owner, session.room_name),
  };
}

/**
 * Builds the writes of a transcript. A small one gets a row; a large one deletes the row of an earlier, small version.
 */
function buildTranscriptWrites(
  owner: string,
  id: string,
  { inline }: StoredTranscript,
  replacesVersion: boolean,
): Write[] {
  const key = toTranscriptKey(owner, id);
  if (inline) return [{ Put: { Item: { ...key, inline, ...toExpiry(id) } } }];
  return replacesVersion ? [{ Delete: { Key: key } }] : [];
}

/** Session fields that a longer version of the call keeps. */
interface PreservedFields {
  assistant_name?: string;
  created_at: string;
}

/** Amounts that a version of a call has added to the usage. */
interface Counted {
  /** Version of the assistant, 0 if it has none. */
  version: number;
  counters: Counters;
}

/**
 * A saved version of a call, with the fields that a longer version keeps, the file of its transcript, and its `Counted` as JSON, which
 * rows of older releases lack.
 */
type StoredVersion = Key & CallVersion & Partial<PreservedFields> & { file?: string; counted?: string };

/**
 * Returns the fields that a longer version keeps. Rows of older releases lack `created_at`, but their ids have that
 * time.
 */
const toPreservedFields = ({ session_id, assistant_name, created_at }: StoredVersion): PreservedFields => ({
  assistant_name,
  created_at: created_at ?? new Date(getIdTime(session_id)).toISOString(),
});

export interface CallToSave {
  /** Identity of the call. Undefined if it is always a new one. */
  identity: string | undefined;
  items: readonly object[];
  /** Builds the call for a session id. */
  toCall(sessionId: string, preserved: PreservedFields): NewCall;
  /** Session id, and time of saving (RFC 3339), if the call is new. */
  newId: string;
  savedAt: string;
  /** Builds the writes to add to the transaction. `isLonger` is true if the session replaces a shorter version. */
  buildExtraWrites(session: Session, isLonger: boolean): Write[];
}

/**
 * Maximum number of sessions of one call that a new log is compared with. Beyond it, every retry becomes a new session: a worker
 * that restarts sends the same log again, and creates no endless number of them.
 */
const maxSessionsPerCall = 10;

/** Limits of a transcript, above which a call gets no longer. Each turn of a chat loads and saves all of it. */
const extensible = { bytes: 5 * 1024 * 1024, values: 200_000 };

/** Lists the saved versions of a call. One round trip. */
async function listVersions(owner: string, identity: string): Promise<StoredVersion[]> {
  const listing = query({ ...toCallVersionsPrefix(owner, identity), ascending: true, pageSize: maxSessionsPerCall });
  return (await takeFirst(listing, maxSessionsPerCall)) as unknown as StoredVersion[];
}

/**
 * Lists the calls that were saved under an identity and may get longer, the longest first. One round trip, and one for each call, in
 * addition to those to S3.
 */
export async function* listExtensible(owner: string, identity: string): AsyncGenerator<StoredCall> {
  const versions = (await listVersions(owner, identity)).filter(({ session_id }) => isRetained(session_id));
  for (const { session_id } of versions.toSorted((one, other) => other.count - one.count)) {
    const call = await findCall(owner, session_id, extensible);
    if (call) yield call;
  }
}

/**
 * Saves a call atomically. A longer version of a stored call replaces it, an equal one changes nothing, and any other
 * becomes another session, so that nothing is lost. Two round trips, and one to S3 if the transcript is large. Throws
 * Conflict after five conflicting writes.
 */
export async function save(
  owner: string,
  { identity, items, toCall, newId, savedAt, buildExtraWrites }: CallToSave,
): Promise<Session> {
  const gone = new Set<string>();
  let knownNames: ReadonlySet<string> | undefined;
  const attempt = async () => {
    const stored = identity === undefined ? [] : await listVersions(owner, identity);
    const retained = stored.filter(({ session_id }) => isRetained(session_id) && !gone.has(session_id));
    const previous = findLongestPrefix(items, retained);
    if (previous?.count === items.length) {
      const row = await getItem(toSessionKey(owner, previous.session_id));
      if (row) return toSession(row);
      gone.add(previous.session_id); // deleted just now, or its row expired before that of its version
      throw new Outdated();
    }
    const call = previous
      ? toCall(previous.session_id, toPreservedFields(previous))
      : toCall(newId, { created_at: savedAt });
    const transcript = await storeTranscript(owner, call);
    const version = identity === undefined ? undefined : (previous ?? findFreeKey(owner, identity, stored, retained));
    const { counted, added } = countCallVersion(call, previous, knownNames);
    try {
      await write(
        {
          Put: {
            Item: toSessionRow(owner, call, transcript, version),
            ...(previous && { ConditionExpression: 'attribute_exists(pk)' }),
          },
          toError: () => {
            if (previous) gone.add(previous.session_id);
            return new Outdated();
          },
        },
        ...buildTranscriptWrites(owner, call.session.session_id, transcript, previous !== undefined),
        ...(previous ? [] : [buildCountWrite(owner, newId, 1)]),
        ...buildUsageWrites(owner, { ...call.session, version: counted.version }, added, (known) => {
          knownNames = knownNames?.intersection(known) ?? known;
          return new Outdated();
        }),
        ...(version ? [buildVersionWrite(version, call, transcript, items, counted)] : []),
        ...buildExtraWrites(call.session, previous !== undefined),
      );
    } catch (error) {
      // A rejected write stored nothing, so the file is unused. After any other failure the write may have succeeded.
      if (transcript.file && !(error instanceof Unavailable))
        await removeTranscript(owner, transcript.file).catch(() => {});
      throw error;
    }
    // Deletes the transcript of the previous version. Best effort: a failure only leaves an unused file.
    if (previous?.file && previous.file !== transcript.file)
      await removeTranscript(owner, previous.file).catch(() => {});
    return call.session;
  };
  return retryOnConflict(attempt, 'Too many other requests are saving this call: try again');
}

/**
 * Returns what a version of a call counts, and what to add to the usage: its difference to the version that it replaces. The call of an
 * older release was not counted; its longer version adds the rest, but not another call. `knownNames` are the only
 * models and end reasons that the usage has room for; all others count as `other`.
 */
function countCallVersion(
  { session, counters }: NewCall,
  previous: StoredVersion | undefined,
  knownNames: ReadonlySet<string> | undefined,
): { counted: Counted; added: Counters } {
  const before: Counted | undefined = previous?.counted === undefined ? undefined : JSON.parse(previous.counted);
  const counted = {
    version: before?.version ?? session.assistant_version ?? 0,
    counters: knownNames ? foldChosenNames(counters, knownNames) : counters,
  };
  return { counted, added: subtractCounters(counted.counters, before?.counters ?? (previous ? { calls: 1 } : {})) };
}

/** Returns the first version key that no retained version uses. Undefined if all are in use. */
function findFreeKey(
  owner: string,
  identity: string,
  versions: readonly StoredVersion[],
  retained: readonly StoredVersion[],
): (Key & { digest?: string }) | undefined {
  const { pk, prefix } = toCallVersionsPrefix(owner, identity);
  for (let slot = 0; slot < maxSessionsPerCall; slot++) {
    const sk = `${prefix}${slot}`;
    if (!retained.some((version) => version.sk === sk))
      return versions.find((version) => version.sk === sk) ?? { pk, sk };
  }
  return undefined;
}

/** Builds the write of a version, unless another request has replaced it. `digest` is the digest that it replaces. */
function buildVersionWrite(
  { pk, sk, digest }: Key & { digest?: string },
  { session: { session_id, assistant_name, created_at } }: StoredCall,
  { file }: StoredTranscript,
  items: readonly object[],
  counted: Counted,
): Write {
  const version = {
    ...toCallVersion(session_id, items),
    counted: JSON.stringify(counted),
    file,
    assistant_name: assistant_name ?? undefined,
    created_at,
  };
  return {
    Put: {
      Item: { pk, sk, ...version, ...toExpiry(session_id) },
      ...(digest
        ? { ConditionExpression: 'digest = :was', ExpressionAttributeValues: { ':was': digest } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
    toError: toOutdated,
  };
}

/**
 * Deletes a session with its transcript, in one transaction with the extra writes. Deletes the file first, so that a retry after a failure completes the
 * deletion. Two round trips, and one to S3 if the transcript is large. Throws NotFound, or Conflict after five
 * conflicting writes.
 */
export async function remove(
  owner: string,
  sessionId: string,
  buildExtraWrites: (session: Session) => Write[],
): Promise<string> {
  const id = parseSessionId(sessionId);
  const attempt = async () => {
    const row = await getItem(toSessionKey(owner, id));
    if (!row) throw sessionNotFound();
    if (row.file) await removeTranscript(owner, String(row.file));
    await write(
      {
        Delete: {
          Key: toSessionKey(owner, id),
          // Fails if a longer version of the call has replaced the file that was just deleted.
          ConditionExpression: row.file ? '#file = :file' : 'attribute_exists(pk) AND attribute_not_exists(#file)',
          ExpressionAttributeNames: { '#file': 'file' },
          ...(row.file ? { ExpressionAttributeValues: { ':file': row.file } } : {}),
        },
        toError: (stored) => (stored ? toOutdated(stored) : sessionNotFound()),
      },
      { Delete: { Key: toTranscriptKey(owner, id) } },
      buildCountWrite(owner, id, -1),
      ...(row.telling
        ? [{ Delete: { Key: { pk: toCallVersionsPrefix(owner, '').pk, sk: String(row.telling) } } }]
        : []),
      ...buildExtraWrites(toSession(row)),
    );
    return id;
  };
  return retryOnConflict(attempt, 'Too many other requests are changing this session: try again');
}
