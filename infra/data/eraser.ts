import type { Key } from '../../shared/store/keys.ts';
import { bar, type Say } from '../progress.ts';
import { deleteVersions, type Version, versionsOf } from './bucket.ts';
import { groups, inParallel } from './in-parallel.ts';
import { allPartitionsOf } from './kinds.ts';
import type { Place } from './place.ts';
import { keyOf } from './row.ts';
import { apiKeyRows, deleteRows, pagesOf } from './table.ts';

/** All that there is of a user. */
export interface Traces {
  /** The rows by which requests find their API keys. */
  apiKeys: Key[];
  rows: Key[];
  /** Every version of every file, those too that were replaced or deleted. */
  versions: Version[];
}

/** Looks for all that there is of a user. */
export async function tracesOf(place: Place, owner: string): Promise<Traces> {
  const traces: Traces = { apiKeys: [], rows: [], versions: [] };
  for await (const rows of apiKeyRows(place, owner)) for (const row of rows) traces.apiKeys.push(keyOf(row));
  for (const pk of allPartitionsOf(owner)) {
    for await (const { rows } of pagesOf(place, { pk, keysOnly: true }))
      for (const row of rows) traces.rows.push(keyOf(row));
  }
  for await (const version of versionsOf(place, owner)) traces.versions.push(version);
  return traces;
}

/** As many as DynamoDB deletes at once. */
const rowsTogether = 25;

/**
 * Deletes them for good. API keys go first, so that access ends first, and before the list that leads to them: what dies halfway
 * is completed by looking and deleting again.
 */
export async function erase(place: Place, { apiKeys, rows, versions }: Traces, say: Say): Promise<void> {
  const all = apiKeys.length + rows.length;
  let deleted = 0;
  for (const some of [apiKeys, rows]) {
    await inParallel(groups(some, rowsTogether), 8, async (group) => {
      await deleteRows(place, group);
      deleted += group.length;
      say(`Rows   ${bar(deleted / all)}`);
    });
  }
  deleted = 0;
  for await (const group of groups(versions, 1_000)) {
    await deleteVersions(place, group);
    deleted += group.length;
    say(`Files  ${bar(deleted / versions.length)}`);
  }
}
