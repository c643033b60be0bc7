import { type Call, digestOf, relationOf, type Told } from '../domain/session.ts';
import { Conflict, NotFound, Unavailable } from '../errors.ts';
import type { Session } from '../schemas/session.ts';
import * as files from './files.ts';
import { assistantSessionsKey, callKey, countsKey, type Key, roomKey, sessionKey, transcriptKey } from './keys.ts';
import { sessionOf } from './session-heads.ts';
import { getAll, get as getItem, type Item, type Write, write } from './table.ts';
import { content, type Kept, keep } from './transcripts.ts';

/** Another log of the same call was saved, or the session deleted, meanwhile. */
class Outdated extends Error {}

const outdated = () => new Outdated();

/** Counts a user's sessions up or down. */
const counted = (owner: string, by: 1 | -1): Write => ({
  Update: {
    Key: countsKey(owner),
    UpdateExpression: 'ADD sessions :by',
    ExpressionAttributeValues: { ':by': by },
  },
});

/** The head of a session: small, since listings read many. What is null is left out. */
function headOf(owner: string, { session }: Call, { file }: Kept, call: Key | undefined): Item {
  const { session_id, ...shown } = session;
  const given = Object.entries({ ...shown, file, call: call?.sk }).filter(([, value]) => value != null);
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
  for (let tries = 0; tries < 5; tries++) {
    const told = key && ((await getItem(key)) as StoredTold | undefined);
    const relation = told ? relationOf(items, told) : 'new';
    if (relation === 'same' && told) {
      const head = await getItem(sessionKey(owner, told.session_id));
      if (head) return sessionOf(head);
      continue; // deleted meanwhile
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
      if (error instanceof Outdated) continue;
      throw error;
    }
    // What was told before: if this fails, a file is left that nothing names.
    if (continues && told?.file && told.file !== kept.file) await files.remove(told.file).catch(() => {});
    return call.session;
  }
  throw new Conflict(['service'], 'Too many others are saving this call: try again', 1);
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

const notFound = () => new NotFound('session_id', 'You have no session with this id');

/** A session's id in small letters. Throws NotFound for what is none: an unknown id is 404 of whatever form. */
function idOf(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw notFound();
  return text.toLowerCase();
}

/** The call of a head. Undefined where the session is being deleted. One round trip to S3 where the transcript is large. */
async function callOfHead(head: Item, transcript: Item | undefined): Promise<Call | undefined> {
  const kept = head.file ? { file: String(head.file) } : { inline: transcript?.inline as Uint8Array };
  const found = await content(kept);
  return found && { session: sessionOf(head), ...found };
}

/** A session's call. One round trip, and one to S3 where the transcript is large. Throws NotFound. */
export async function get(owner: string, sessionId: string): Promise<Call> {
  const id = idOf(sessionId);
  const key = sessionKey(owner, id);
  for (let tries = 0; tries < 3; tries++) {
    const items = await getAll([key, transcriptKey(owner, id)]);
    const head = items.find(({ pk }) => pk === key.pk);
    if (!head) break;
    const call = await callOfHead(
      head,
      items.find(({ pk }) => pk !== key.pk),
    );
    if (call) return call; // else it was told anew in between: its new head says where
  }
  throw notFound();
}

/** How many sessions are read at once: some are in S3, each a request of its own. */
const together = 10;

/**
 * The calls of a listing of heads, in its order; of a small page not many more than it holds.
 * One round trip for ten, and one to S3 for each large transcript.
 */
export async function* calls(owner: string, heads: AsyncIterable<Item>, pageSize = together): AsyncGenerator<Call> {
  let batch: Item[] = [];
  for await (const head of heads) {
    if (batch.push(head) < Math.min(together, pageSize)) continue;
    yield* await callsOf(owner, batch);
    batch = [];
  }
  yield* await callsOf(owner, batch);
}

/** The calls of several heads; those that are deleted meanwhile are left out. */
async function callsOf(owner: string, heads: Item[]): Promise<Call[]> {
  const transcripts = await inlineOf(owner, heads);
  const calls = heads.map(async (head) => (await callOfHead(head, transcripts.get(head.sk))) ?? again(owner, head));
  return (await Promise.all(calls)).filter((call) => call !== undefined);
}

/** The call of a head that was replaced since it was listed. */
const again = (owner: string, { sk }: Item): Promise<Call | undefined> =>
  get(owner, String(sk)).catch((error) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });

/** The transcripts of the table of several heads, by session id. One round trip for up to a hundred. */
async function inlineOf(owner: string, heads: Item[]): Promise<Map<unknown, Item>> {
  const keys = heads.filter(({ file }) => !file).map(({ sk }) => transcriptKey(owner, String(sk)));
  const items = keys.length > 0 ? await getAll(keys) : [];
  return new Map(items.map((item) => [item.sk, item]));
}

/**
 * Deletes a session with its transcript. The file goes first: whoever asks again after a fault completes it.
 * Two round trips, and one to S3 where the transcript is large. Throws NotFound.
 */
export async function remove(owner: string, sessionId: string): Promise<string> {
  const id = idOf(sessionId);
  for (let tries = 0; tries < 5; tries++) {
    const head = await getItem(sessionKey(owner, id));
    if (!head) throw notFound();
    if (head.file) await files.remove(String(head.file));
    try {
      await write(
        {
          Delete: {
            Key: sessionKey(owner, id),
            ConditionExpression: head.file ? '#file = :file' : 'attribute_exists(pk) AND attribute_not_exists(#file)',
            ExpressionAttributeNames: { '#file': 'file' },
            ...(head.file ? { ExpressionAttributeValues: { ':file': head.file } } : {}),
          },
          refused: (stored) => (stored ? outdated() : notFound()),
        },
        { Delete: { Key: transcriptKey(owner, id) } },
        counted(owner, -1),
        ...(head.call ? [{ Delete: { Key: { pk: callKey(owner, '').pk, sk: String(head.call) } } }] : []),
      );
      return id;
    } catch (error) {
      if (!(error instanceof Outdated)) throw error; // else it was told longer meanwhile
    }
  }
  throw new Conflict(['service'], 'Others keep changing this session: try again', 1);
}
