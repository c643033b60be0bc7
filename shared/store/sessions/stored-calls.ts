import { maxPageBytes } from '../../domain/page.ts';
import type { StoredCall } from '../../domain/session.ts';
import { isUuid } from '../../domain/time-id.ts';
import { NotFound } from '../../errors.ts';
import { toSessionKey, toTranscriptKey } from '../table/keys.ts';
import { isRetained } from '../table/retention.ts';
import { getAll, type Row } from '../table/table.ts';
import { toSession } from './session-rows.ts';
import { loadTranscript } from './transcripts.ts';

export const sessionNotFound = () => new NotFound(['path', 'session_id'], 'You have no session with this id');

/** Converts a session id to lower case. Throws NotFound if it is not a UUID, so that every unknown id is a 404. */
export function parseSessionId(text: string): string {
  const id = text.toLowerCase();
  if (!isUuid(id)) throw sessionNotFound();
  return id;
}

/** Details that calls of older releases lack. */
const missing = { direction: null, from: null, to: null, usage: null };

/** Maximum size of a transcript, in bytes of JSON, and of its JSON values. */
export interface TranscriptLimits {
  bytes: number;
  values: number;
}

const unlimited: TranscriptLimits = { bytes: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/**
 * Loads the call of a session row. Undefined if it was deleted or replaced since, null if its transcript has too many values. One S3 round
 * trip if the transcript is large.
 */
async function loadCall(
  owner: string,
  row: Row,
  transcript: Row | undefined,
  { values } = unlimited,
): Promise<StoredCall | null | undefined> {
  const location = row.file ? { file: String(row.file) } : { inline: transcript?.inline as Uint8Array };
  const found = await loadTranscript(owner, location, values);
  return found && { session: toSession(row), details: { ...missing, ...found.details }, items: found.items };
}

/** Returns the call of a session. One round trip, and one to S3 if the transcript is large. Throws NotFound. */
export async function get(owner: string, sessionId: string): Promise<StoredCall> {
  const id = parseSessionId(sessionId);
  const found = isRetained(id) ? await find(owner, id) : undefined;
  if (!found) throw sessionNotFound();
  return found;
}

/**
 * Finds the call of a session that is retained, if its transcript is within the limits. One round trip, and one to S3 if the transcript is
 * large.
 */
export async function find(owner: string, id: string, limits = unlimited): Promise<StoredCall | undefined> {
  const key = toSessionKey(owner, id);
  for (let tries = 0; tries < 3; tries++) {
    const rows = await getAll([key, toTranscriptKey(owner, id)]);
    const row = rows.find(({ pk }) => pk === key.pk);
    if (!row || Number(row.bytes) > limits.bytes) break;
    const call = await loadCall(
      owner,
      row,
      rows.find(({ pk }) => pk !== key.pk),
      limits,
    );
    if (call !== undefined) return call ?? undefined; // otherwise a longer version has just replaced it: read the row again
  }
  return undefined;
}

/** Maximum number of sessions that are read together. Batches of large ones end at the size of a page. */
const batchSize = 10;

/**
 * Lists the calls of session rows, in order. Reads ahead by at most one batch or page. One round trip per ten calls,
 * and one to S3 per large transcript.
 */
export async function* listCalls(
  owner: string,
  rows: AsyncIterable<Row>,
  pageSize = batchSize,
): AsyncGenerator<StoredCall> {
  let batch: Row[] = [];
  let bytes = 0;
  let count = 0;
  for await (const row of rows) {
    bytes += Number(row.bytes);
    count += 1;
    // The last row of a page does not wait for a full batch, which would query another page of rows.
    if (batch.push(row) < batchSize && count % pageSize > 0 && bytes < maxPageBytes) continue;
    yield* await loadCalls(owner, batch);
    batch = [];
    bytes = 0;
  }
  yield* await loadCalls(owner, batch);
}

/** Loads the calls of session rows. Skips those that were deleted since. */
async function loadCalls(owner: string, rows: Row[]): Promise<StoredCall[]> {
  const transcripts = await getInlineTranscripts(owner, rows);
  const calls = rows.map(
    async (row) => (await loadCall(owner, row, transcripts.get(row.sk))) ?? reloadCall(owner, row),
  );
  return (await Promise.all(calls)).filter((call) => call !== undefined);
}

/** Loads a call again, after its row was replaced since it was listed. Undefined if it was deleted. */
const reloadCall = (owner: string, { sk }: Row): Promise<StoredCall | undefined> =>
  get(owner, String(sk)).catch((error) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });

/** Returns the transcripts that are stored in the table, by session id. One round trip for up to 100. */
async function getInlineTranscripts(owner: string, rows: Row[]): Promise<Map<unknown, Row>> {
  const keys = rows.filter(({ file }) => !file).map(({ sk }) => toTranscriptKey(owner, String(sk)));
  const transcripts = keys.length > 0 ? await getAll(keys) : [];
  return new Map(transcripts.map((item) => [item.sk, item]));
}
