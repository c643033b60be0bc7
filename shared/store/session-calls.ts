import { maxBytes } from '../domain/page.ts';
import type { Call } from '../domain/session.ts';
import { NotFound } from '../errors.ts';
import { sessionKey, transcriptKey } from './keys.ts';
import { isKept } from './retention.ts';
import { sessionOf } from './session-heads.ts';
import { getAll, type Item } from './table.ts';
import { content } from './transcripts.ts';

export const notFound = () => new NotFound(['path', 'session_id'], 'You have no session with this id');

/** A session's id in small letters. Throws NotFound for what is none: an unknown id is 404 of whatever form. */
export function idOf(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw notFound();
  return text.toLowerCase();
}

/** The call of a head. Undefined where it was deleted or told anew since. One round trip to S3 where the transcript is large. */
async function callOfHead(head: Item, transcript: Item | undefined): Promise<Call | undefined> {
  const kept = head.file ? { file: String(head.file) } : { inline: transcript?.inline as Uint8Array };
  const found = await content(kept);
  return found && { session: sessionOf(head), ...found };
}

/** A session's call. One round trip, and one to S3 where the transcript is large. Throws NotFound. */
export async function get(owner: string, sessionId: string): Promise<Call> {
  const id = idOf(sessionId);
  if (!isKept(id)) throw notFound();
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

/** How many sessions are read at once, or fewer large ones: a page shows no more than its bytes. */
const together = 10;

/**
 * The calls of a listing of heads, in its order; of a small page not many more than it holds.
 * One round trip for ten, and one to S3 for each large transcript.
 */
export async function* calls(owner: string, heads: AsyncIterable<Item>, pageSize = together): AsyncGenerator<Call> {
  let batch: Item[] = [];
  let bytes = 0;
  let count = 0;
  for await (const head of heads) {
    bytes += Number(head.bytes);
    count += 1;
    // The last of a page waits for no others: that would read the next page of heads.
    if (batch.push(head) < together && count % pageSize > 0 && bytes < maxBytes) continue;
    yield* await callsOf(owner, batch);
    batch = [];
    bytes = 0;
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
