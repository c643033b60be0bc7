import type { Key } from '../../../shared/store/table/keys.ts';
import { formatBar, type ShowProgress } from '../../terminal/progress.ts';
import { deleteVersions, type FileVersion, listVersions } from './deployment/bucket.ts';
import type { Deployment } from './deployment/deployment.ts';
import { listAllPartitions } from './deployment/kinds.ts';
import { toKey } from './deployment/row.ts';
import { deleteRows, queryPages, readApiKeyRows } from './deployment/table.ts';
import { runInParallel, toBatches } from './in-parallel.ts';

/** Keys and file versions of all data of a user. */
export interface UserData {
  /** Rows that requests use to look up an API key. */
  apiKeys: Key[];
  rows: Key[];
  /** Every version of every file, including replaced and deleted ones. */
  versions: FileVersion[];
}

/** Lists all data of a user. */
export async function listUserData(deployment: Deployment, owner: string): Promise<UserData> {
  const data: UserData = { apiKeys: [], rows: [], versions: [] };
  for await (const rows of readApiKeyRows(deployment, owner)) for (const row of rows) data.apiKeys.push(toKey(row));
  for (const pk of listAllPartitions(owner)) {
    for await (const { rows } of queryPages(deployment, { pk, keysOnly: true }))
      for (const row of rows) data.rows.push(toKey(row));
  }
  for await (const version of listVersions(deployment, owner)) data.versions.push(version);
  return data;
}

/** Maximum number of rows in one BatchWriteItem. */
const rowBatchSize = 25;

/**
 * Deletes the data permanently. API keys go first: access ends first, and the list that leads to them still exists if
 * the run is interrupted. To complete an interrupted run, list and delete again.
 */
export async function eraseUserData(
  deployment: Deployment,
  { apiKeys, rows, versions }: UserData,
  showProgress: ShowProgress,
): Promise<void> {
  const all = apiKeys.length + rows.length;
  let deleted = 0;
  for (const keys of [apiKeys, rows]) {
    await runInParallel(toBatches(keys, rowBatchSize), 8, async (batch) => {
      await deleteRows(deployment, batch);
      deleted += batch.length;
      showProgress(`Rows   ${formatBar(deleted / all)}`);
    });
  }
  deleted = 0;
  for await (const batch of toBatches(versions, 1_000)) {
    await deleteVersions(deployment, batch);
    deleted += batch.length;
    showProgress(`Files  ${formatBar(deleted / versions.length)}`);
  }
}
