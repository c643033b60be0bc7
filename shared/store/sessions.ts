import { type Call, digestOf, relationOf, type Told } from '../domain/session.ts';
import { Unavailable } from '../errors.ts';
import type { Session } from '../schemas/session.ts';
import * as files from './files.ts';
import { assistantSessionsKey, callKey, countsKey, type Key, roomKey, sessionKey, transcriptKey } from './keys.ts';
import { Outdated, settled } from './races.ts';
import { idOf, notFound } from './session-calls.ts';
import { sessionOf } from './session-heads.ts';
import { get as getItem, type Item, type Write, write } from './table.ts';
import { type Kept, keep } from './transcripts.ts';

const outdated = (stored: Item | undefined) => new Outdated(stored);

/** Counts a user's sessions up or down. */
const counted = (owner: string, by: 1 | -1): Write => ({
  Update: {
    Key: countsKey(owner),
    UpdateExpression: 'ADD sessions :by',
    ExpressionAttributeValues: { ':by': by },
  },
});

/** The head of a session: small, since listings read many. What is null is left out. */
function headOf(owner: string, { session }: Call, { file, bytes }: Kept, call: Key | undefined): Item {
  const { session_id, ...shown } = session;
  const given = Object.entries({ ...shown, file, bytes, call: call?.sk }).filter(([, value]) => value != null);
  return {
    ...sessionKey(owner, session_id),
    ...Object.fromEntries(given),
    'by-assistant': assistantSessionsKey(owner, session.assistant_id),
    'by-room': roomKey(owner, session.room_name),
  };
}

/** A small transcript has a row of its own; one that grew out of it leaves none. */
function transcriptWrites(owner: string, id: string, { inline }: Kept, continues: boolean): Write[] {
  const key = transcriptKey(owner, id);
  if (inline) return [{ Put: { Item: { ...key, inline } } }];
  return continues ? [{ Delete: { Key: key } }] : [];
}

/** How far a call is told, and the file of its transcript, if it has one. */
type StoredTold = Told & { file?: string };

export interface Saving {
  /** What tells the call from others; undefined where it is always a new one. */
  identity: string | undefined;
  items: readonly object[];
  /** The call under a session's id. */
  callUnder(sessionId: string): Call;
  /** An id for a new session. */
  newId: string;
  /** What else is written with it. */
  also(session: Session): Write[];
}

/**
 * Saves a call, all of it or nothing. A longer telling of a stored call replaces it, an equal one changes nothing, any other is
 * a session of its own: nothing is overwritten. Two round trips, and one to S3 where the transcript is large.
 * Throws Conflict after five lost races.
 */
export async function save(owner: string, { identity, items, callUnder, newId, also }: Saving): Promise<Session> {
  const key = identity === undefined ? undefined : callKey(owner, identity);
  const attempt = async () => {
    const told = key && ((await getItem(key)) as StoredTold | undefined);
    const relation = told ? relationOf(items, told) : 'new';
    if (relation === 'same' && told) {
      const head = await getItem(sessionKey(owner, told.session_id));
      if (!head) throw new Outdated(); // deleted meanwhile
      return sessionOf(head);
    }
    const continues = relation === 'longer' && told ? told.session_id : undefined;
    const call = callUnder(continues ?? newId);
    const kept = await keep(owner, call);
    const remembered = relation === 'other' ? undefined : key;
    try {
      await write(
        {
          Put: {
            Item: headOf(owner, call, kept, remembered),
            ...(continues && { ConditionExpression: 'attribute_exists(pk)' }),
          },
          refused: outdated,
        },
        ...transcriptWrites(owner, call.session.session_id, kept, continues !== undefined),
        ...(continues ? [] : [counted(owner, 1)]),
        ...(remembered ? [toldWrite(remembered, told, call, kept, items)] : []),
        ...also(call.session),
      );
    } catch (error) {
      // A refusal is certain, so nothing names the file; a request that only failed may have been carried out.
      if (kept.file && !(error instanceof Unavailable)) await files.remove(kept.file).catch(() => {});
      throw error;
    }
    // What was told before: if this fails, a file is left that nothing names.
    if (continues && told?.file && told.file !== kept.file) await files.remove(told.file).catch(() => {});
    return call.session;
  };
  return settled(attempt, 'Too many others are saving this call: try again');
}

/** How far the call is told now, on the condition that nobody has told more since. */
function toldWrite(
  key: Key,
  told: Told | undefined,
  { session }: Call,
  { file }: Kept,
  items: readonly object[],
): Write {
  const Item = { ...key, session_id: session.session_id, count: items.length, digest: digestOf(items), file };
  return {
    Put: {
      Item,
      ...(told
        ? { ConditionExpression: 'digest = :was', ExpressionAttributeValues: { ':was': told.digest } }
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
      counted(owner, -1),
      ...(head.call ? [{ Delete: { Key: { pk: callKey(owner, '').pk, sk: String(head.call) } } }] : []),
    );
    return id;
  };
  return settled(attempt, 'Others keep changing this session: try again');
}
