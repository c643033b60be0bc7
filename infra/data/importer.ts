import { readFile } from 'node:fs/promises';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hasExpired } from '../../shared/domain/api-key.ts';
import { foldersOf, pathOf } from '../../shared/store/folders.ts';
import { apiKeyCountKey, apiKeysOf, userKey } from '../../shared/store/keys.ts';
import { Problem } from '../problem.ts';
import { bar, type Say } from '../progress.ts';
import { store, versionsOf } from './bucket.ts';
import { type Existing, refuse, type Tally } from './existing.ts';
import { fileIn, itemsOf, type KeptFile, type Manifest } from './folder.ts';
import { filesTogether, groups, inParallel } from './in-parallel.ts';
import { type Kind, kindOf, moved } from './kinds.ts';
import type { Place } from './place.ts';
import { attributesOf, keyOf, type Row } from './row.ts';
import { pagesOf } from './table.ts';
import { verified } from './verified.ts';
import { compare, writeRows } from './write-rows.ts';

export interface Wish {
  /** The `sub` of the user who is to have the data; null: whose it was. */
  user: string | null;
  existing: Existing;
}

export interface Outcome {
  rows: Tally;
  files: Tally;
  /** What means nothing to another user, or under another key, by its name. */
  left: { credentials: string[]; apiKeys: string[] };
}

/** The rows as they are to be, without those that mean nothing there, which `leave` is told of. Throws Problem. */
async function* rowsFor(
  { key }: Place,
  dir: string,
  manifest: Manifest,
  owner: string,
  leave: (kind: Kind, row: Row) => void = () => {},
): AsyncGenerator<Row> {
  const personal: Kind[] = ['credential', 'API key', 'listed API key', 'remembered answer'];
  const left: Kind[] = owner !== manifest.owner ? personal : key !== manifest.key ? ['credential'] : [];
  // A hash of 256 bits stands for nothing else: where it stands it is the user, in keys, indexes and names of files.
  for await (const kept of itemsOf(dir, (line) => line.replaceAll(manifest.owner, owner))) {
    const row = moved(kept);
    const kind = kindOf(owner, row);
    if (!kind) throw new Problem(`items.jsonl has a row of somebody else (${keyOf(row).pk}): nothing has been written`);
    if (left.includes(kind)) leave(kind, row);
    else if (kind !== 'count' && kind !== 'API key count') yield row; // made anew
  }
}

/** A file of the folder on its way to the bucket. */
interface Sending {
  from: string;
  path: string;
  state: 'absent' | 'same' | 'different';
}

/** The files beside what is at their paths. */
async function compareFiles(place: Place, manifest: Manifest, owner: string, digests: Map<KeptFile, string>) {
  const stored = new Map<string, string>();
  for await (const { path, etag, isLatest, isMarker } of versionsOf(place, owner))
    if (isLatest && !isMarker) stored.set(path, etag);
  return [...digests].map(([{ path: from }, md5]): Sending => {
    const path = from.replaceAll(manifest.owner, owner);
    if (!foldersOf(owner).some((folder) => path.startsWith(folder)))
      throw new Problem(`${path} is a file of somebody else: nothing has been written`);
    const etag = stored.get(path);
    return { from, path, state: etag === undefined ? 'absent' : etag === md5 ? 'same' : 'different' };
  });
}

/** What is there and differs, by name. */
async function differences(place: Place, rows: AsyncIterable<Row>, files: Sending[]): Promise<string[]> {
  const names = files.filter(({ state }) => state === 'different').map(({ path }) => path);
  for await (const group of groups(rows, 100)) {
    const { different } = await compare(place, group);
    names.push(...different.map((row) => Object.values(keyOf(row)).join(' ')));
  }
  return names;
}

/** Raises the count of a user's living API keys to how many there are now. */
async function countApiKeys(place: Place, owner: string): Promise<void> {
  let living = 0;
  for await (const { rows } of pagesOf(place, apiKeysOf(owner)))
    living += rows.filter(({ valid_until }) => !hasExpired({ expires_at: valid_until?.S ?? null })).length;
  if (living === 0) return;
  const count = new UpdateItemCommand({
    TableName: place.table,
    Key: attributesOf(apiKeyCountKey(owner)),
    UpdateExpression: 'SET living = :living ADD revision :living',
    ConditionExpression: 'attribute_not_exists(pk) OR living < :living',
    ExpressionAttributeValues: { ':living': { N: String(living) } },
  });
  await place.dynamoDb.send(count).catch((error) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}

/** Whether the service hears of a file when it arrives, and looks for its record: it deletes a document that has none. */
const isHeard = (owner: string, path: string) =>
  (['uploads', 'erasures'] as const).some((folder) => path.startsWith(`${pathOf(folder, owner)}/`));

/**
 * Writes an export back: what is there and equal is left alone, so that it goes on where an earlier run has stopped. No row is
 * written before the files that it names, but for those whose arrival the service hears of. Throws Problem, before anything
 * is written, where the export is not whole, or where something differs and is to be refused.
 */
export async function importUser(
  place: Place,
  dir: string,
  manifest: Manifest,
  { user, existing }: Wish,
  say: Say,
): Promise<Outcome> {
  if (user === null && place.issuer !== manifest.issuer)
    throw new Problem(`${dir} does not name its user, who has another issuer here: say --user <sub>`);
  const owner = user === null ? manifest.owner : userKey(place.issuer, user);
  const files = await compareFiles(place, manifest, owner, await verified(dir, manifest, say));
  const left: Outcome['left'] = { credentials: [], apiKeys: [] };
  const leave = (kind: Kind, { service_type, name }: Row) => {
    if (kind === 'credential') left.credentials.push(`${service_type?.S} ${name?.S}`);
    if (kind === 'API key' && name?.S) left.apiKeys.push(name.S);
  };
  const differing = await differences(place, rowsFor(place, dir, manifest, owner, leave), files);
  if (existing === 'refuse' && differing.length > 0) refuse(differing);

  const sent: Tally = { written: 0, kept: 0, same: 0 };
  const send = async ({ from, path, state }: Sending) => {
    const isKept = state === 'different' && existing === 'keep';
    if (state !== 'same' && !isKept) await store(place, path, await readFile(fileIn(dir, from)));
    sent[isKept ? 'kept' : state === 'same' ? 'same' : 'written'] += 1;
    say(`Files  ${bar((sent.written + sent.kept + sent.same) / files.length)}`);
  };
  const { heard = [], others = [] } = Object.groupBy(files, ({ path }) => (isHeard(owner, path) ? 'heard' : 'others'));
  await inParallel(others, filesTogether, send);
  const rows = await writeRows(place, owner, rowsFor(place, dir, manifest, owner), existing, (count) =>
    say(`Rows   ${bar(count / (manifest.rows?.count ?? 1))}`),
  );
  await countApiKeys(place, owner);
  await inParallel(heard, filesTogether, send);
  return { rows, files: sent, left };
}
