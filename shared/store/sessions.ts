import { firstOf } from '../domain/page.ts';
import { type Call, getSessionTime, repeated, type Told, toldBy } from '../domain/session.ts';
import { Unavailable } from '../errors.ts';
import type { Session } from '../schemas/session.ts';
import * as files from './files.ts';
import { assistantSessionsKey, countKey, type Key, roomKey, sessionKey, tellingsOf, transcriptKey } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { expiryOf, isKept } from './retention.ts';
import { idOf, notFound } from './session-calls.ts';
import { counting } from './session-count.ts';
import { sessionOf } from './session-heads.ts';
import { get as getItem, type Item, query } from './table.ts';
import { type Write, write } from './table-writes.ts';
import { type Kept, keep } from './transcripts.ts';

const outdated = (stored: Item | undefined) => new Outdated(stored);

/** Counts a user's sessions up or down, on the day of this one. */
function counted(owner: string, sessionId: string, by: 1 | -1): Write {
  const { expires_at } = expiryOf(sessionId);
  return { Update: { Key: countKey(owner, getSessionTime(sessionId)), ...counting(by, expires_at) } };
}

/** The head of a session: small, since listings read many. What is null is left out. */
function headOf(owner: string, { session }: Call, { file, bytes }: Kept, telling: Key | undefined): Item {
  const { session_id, ...shown } = session;
  const given = Object.entries({ ...shown, file, bytes, telling: telling?.sk }).filter(([, value]) => value != null);
  return {
    ...sessionKey(owner, session_id),
    ...Object.fromEntries(given),
    ...expiryOf(session_id),
    'by-assistant': assistantSessionsKey(owner, session.assistant_id),
    'by-room': roomKey(owner, session.room_name),
  };
}

/** A small transcript has a row of its own; one that grew out of it leaves none. */
function transcriptWrites(owner: string, id: string, { inline }: Kept, continues: boolean): Write[] {
  const key = transcriptKey(owner, id);
  if (inline) return [{ Put: { Item: { ...key, inline, ...expiryOf(id) } } }];
  return continues ? [{ Delete: { Key: key } }] : [];
}

/** Fields of a session that a longer version of its call keeps. */
interface Remembered {
  assistant_name?: string;
  created_at: string;
}

/** What is stored of a telling: how far it goes, and what whoever tells more needs to know. */
type Telling = Key & Told & Partial<Remembered> & { file?: string };

/** Returns what a longer version keeps. Where a row says no `created_at`, older releases made it, and ids by that time. */
const remembered = ({ session_id, assistant_name, created_at }: Telling): Remembered => ({
  assistant_name,
  created_at: created_at ?? new Date(getSessionTime(session_id)).toISOString(),
});

export interface Saving {
  /** What tells the call from others; undefined where it is always a new one. */
  identity: string | undefined;
  items: readonly object[];
  /** The call under a session's id. */
  callUnder(sessionId: string, remembered: Remembered): Call;
  /** An id for a new session. */
  newId: string;
  /** What else is written with it. */
  also(session: Session): Write[];
}

/** How many different tellings of a call are remembered: a worker that crashed tells one again, not ever new ones. */
const maxTellings = 10;

/** The tellings of a call. One round trip. */
async function tellings(owner: string, identity: string): Promise<Telling[]> {
  const listing = query({ ...tellingsOf(owner, identity), ascending: true, pageSize: maxTellings });
  return (await firstOf(listing, maxTellings)) as unknown as Telling[];
}

/**
 * Saves a call, all of it or nothing. A longer telling of a stored call replaces it, an equal one changes nothing, any other is
 * a session of its own: nothing is overwritten. Two round trips, and one to S3 where the transcript is large.
 * Throws Conflict after five lost races.
 */
export async function save(owner: string, { identity, items, callUnder, newId, also }: Saving): Promise<Session> {
  const gone = new Set<string>();
  const savedAt = new Date().toISOString();
  const attempt = async () => {
    const known = identity === undefined ? [] : await tellings(owner, identity);
    const living = known.filter(({ session_id }) => isKept(session_id) && !gone.has(session_id));
    const told = repeated(items, living);
    if (told?.count === items.length) {
      const head = await getItem(sessionKey(owner, told.session_id));
      if (head) return sessionOf(head);
      gone.add(told.session_id); // deleted meanwhile, or its row went before that of its telling
      throw new Outdated();
    }
    const call = told ? callUnder(told.session_id, remembered(told)) : callUnder(newId, { created_at: savedAt });
    const kept = await keep(owner, call);
    const telling = identity === undefined ? undefined : (told ?? freePlace(owner, identity, known, living));
    try {
      await write(
        {
          Put: {
            Item: headOf(owner, call, kept, telling),
            ...(told && { ConditionExpression: 'attribute_exists(pk)' }),
          },
          refused: () => {
            if (told) gone.add(told.session_id);
            return new Outdated();
          },
        },
        ...transcriptWrites(owner, call.session.session_id, kept, told !== undefined),
        ...(told ? [] : [counted(owner, newId, 1)]),
        ...(telling ? [toldWrite(telling, call, kept, items)] : []),
        ...also(call.session),
      );
    } catch (error) {
      // A refusal is certain, so nothing names the file; a request that only failed may have been carried out.
      if (kept.file && !(error instanceof Unavailable)) await files.remove(kept.file).catch(() => {});
      throw error;
    }
    // What was told before: if this fails, a file is left that nothing names.
    if (told?.file && told.file !== kept.file) await files.remove(told.file).catch(() => {});
    return call.session;
  };
  return settled(attempt, 'Too many others are saving this call: try again');
}

/** The first place for a telling that none has that lives; undefined where all are taken. */
function freePlace(
  owner: string,
  identity: string,
  known: readonly Telling[],
  living: readonly Telling[],
): (Key & { digest?: string }) | undefined {
  const { pk, prefix } = tellingsOf(owner, identity);
  for (let place = 0; place < maxTellings; place++) {
    const sk = `${prefix}${place}`;
    if (!living.some((telling) => telling.sk === sk)) return known.find((telling) => telling.sk === sk) ?? { pk, sk };
  }
  return undefined;
}

/** How far the call is told now, on the condition that nobody has told more since: `digest` is what was told there. */
function toldWrite(
  { pk, sk, digest }: Key & { digest?: string },
  { session: { session_id, assistant_name, created_at } }: Call,
  { file }: Kept,
  items: readonly object[],
): Write {
  const told = { ...toldBy(session_id, items), file, assistant_name: assistant_name ?? undefined, created_at };
  return {
    Put: {
      Item: { pk, sk, ...told, ...expiryOf(session_id) },
      ...(digest
        ? { ConditionExpression: 'digest = :was', ExpressionAttributeValues: { ':was': digest } }
        : { ConditionExpression: 'attribute_not_exists(pk)' }),
    },
    refused: outdated,
  };
}

/**
 * Deletes a session with its transcript. The file goes first: whoever asks again after a fault completes it.
 * Two round trips, and one to S3 where the transcript is large. Throws NotFound.
 */
export async function remove(owner: string, sessionId: string): Promise<string> {
  const id = idOf(sessionId);
  const attempt = async () => {
    const head = await getItem(sessionKey(owner, id));
    if (!head) throw notFound();
    if (head.file) await files.remove(String(head.file));
    await write(
      {
        Delete: {
          Key: sessionKey(owner, id),
          // It still has the file that was deleted: else the call was told longer meanwhile.
          ConditionExpression: head.file ? '#file = :file' : 'attribute_exists(pk) AND attribute_not_exists(#file)',
          ExpressionAttributeNames: { '#file': 'file' },
          ...(head.file ? { ExpressionAttributeValues: { ':file': head.file } } : {}),
        },
        refused: (stored) => (stored ? outdated(stored) : notFound()),
      },
      { Delete: { Key: transcriptKey(owner, id) } },
      counted(owner, id, -1),
      ...(head.telling ? [{ Delete: { Key: { pk: tellingsOf(owner, '').pk, sk: String(head.telling) } } }] : []),
    );
    return id;
  };
  return settled(attempt, 'Others keep changing this session: try again');
}
