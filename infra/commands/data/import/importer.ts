import { readFile } from 'node:fs/promises';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hasExpired } from '../../../../shared/domain/api-key.ts';
import { toObjectKey } from '../../../../shared/store/files/folders.ts';
import { toApiKeyCountKey, toApiKeyListPrefix } from '../../../../shared/store/table/keys.ts';
import { formatBar, type ShowProgress } from '../../../terminal/progress.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { putFile } from '../deployment/bucket.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findDocumentId, type Kind, listNamedFiles } from '../deployment/kinds.ts';
import { type Row, toAttributes, toKey } from '../deployment/row.ts';
import { queryPages } from '../deployment/table.ts';
import { compareRows, isRemade, writeRows } from '../deployment/write-rows.ts';
import { type Manifest, toFilePath } from '../export/export-folder.ts';
import { verifyExport } from '../export/verify-export.ts';
import { maxConcurrentFiles, runInParallel, toBatches } from '../in-parallel.ts';
import { findOwnerKey, type OwnerName } from '../owner.ts';
import { compareFiles, type PendingFile, triggersEvent } from './compare-files.ts';
import { type ExistingPolicy, rejectDifferences, type Tally } from './existing-policy.ts';
import { listKeptDays, readRows } from './read-rows.ts';
import { recountVersions } from './versions.ts';

/** Owner who gets the data, or nulls for the exported one. */
export interface ImportOptions extends OwnerName {
  existing: ExistingPolicy;
}

export interface ImportResult {
  rows: Tally;
  files: Tally;
  /** Names of items that another user or KMS key cannot use, and ids of jobs that another user would run again. */
  skipped: { credentials: string[]; webhooks: string[]; apiKeys: string[]; jobs: string[] };
}

/** Lists the rows and files that exist but differ, except deliveries that the service made anew. */
async function listDifferences(
  deployment: Deployment,
  owner: string,
  rows: AsyncIterable<Row>,
  files: PendingFile[],
): Promise<string[]> {
  const names = files.filter(({ state }) => state === 'different').map(({ path }) => path);
  for await (const batch of toBatches(rows, 100)) {
    const { different } = await compareRows(deployment, batch);
    const others = different.filter((row) => !isRemade(owner, row));
    names.push(...others.map((row) => Object.values(toKey(row)).join(' ')));
  }
  return names;
}

/** Raises the count of a user's valid API keys to their current number. */
async function raiseApiKeyCount(deployment: Deployment, owner: string): Promise<void> {
  let living = 0;
  for await (const { rows } of queryPages(deployment, toApiKeyListPrefix(owner)))
    living += rows.filter(({ valid_until }) => !hasExpired({ expires_at: valid_until?.S ?? null })).length;
  if (living === 0) return;
  const count = new UpdateItemCommand({
    TableName: deployment.table,
    Key: toAttributes(toApiKeyCountKey(owner)),
    UpdateExpression: 'SET living = :living ADD revision :living',
    ConditionExpression: 'attribute_not_exists(pk) OR living < :living',
    ExpressionAttributeValues: { ':living': { N: String(living) } },
  });
  await deployment.dynamoDb.send(count).catch((error) => {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  });
}

/**
 * Imports an export. Skips what exists and is equal, so a second run resumes the first. Writes files before the rows
 * that name them, except for files that trigger ingestion. Writes the files of a row that it writes even if the bucket had them: their user
 * may have deleted them since, and a document that is processing waits for the event of its file. Completes deletions that the export
 * shows as begun. Throws UserError, before it writes anything, if the export is not complete, or if something differs and the policy is
 * `refuse`; and in the midst of it if a row is changed meanwhile.
 */
export async function importUser(
  deployment: Deployment,
  dir: string,
  manifest: Manifest,
  { existing, ...name }: ImportOptions,
  showProgress: ShowProgress,
): Promise<ImportResult> {
  const exported = findOwnerKey(manifest.issuer, manifest);
  if (exported !== undefined && exported !== manifest.owner)
    throw new UserError(`manifest.json of ${dir} has been changed: its owner is not its user`);
  const named = findOwnerKey(deployment.issuer, name);
  if (named === undefined && deployment.issuer !== manifest.issuer)
    throw new UserError(`${dir} does not name its user, and the issuer is another one here: pass --user <sub>`);
  const owner = named ?? manifest.owner;
  const files = await compareFiles(deployment, manifest, owner, await verifyExport(dir, manifest, showProgress));
  const skipped: ImportResult['skipped'] = { credentials: [], webhooks: [], apiKeys: [], jobs: [] };
  const skip = (kind: Kind, { service_type, name, url, id }: Row) => {
    if (kind === 'credential') skipped.credentials.push(`${service_type?.S} ${name?.S}`);
    if (kind === 'webhook' && url?.S) skipped.webhooks.push(url.S);
    if (kind === 'API key' && name?.S) skipped.apiKeys.push(name.S);
    if (kind === 'job' && id?.S) skipped.jobs.push(id.S);
  };
  const target = { owner, user: name.user };
  const keptDays = await listKeptDays(deployment, dir, manifest, target);
  const different = await listDifferences(
    deployment,
    owner,
    readRows(deployment, dir, manifest, target, keptDays, skip),
    files,
  );
  if (existing === 'refuse' && different.length > 0) rejectDifferences(different);

  const tally: Tally = { written: 0, kept: 0, same: 0 };
  /** Files that have not been sent, by path. */
  const unsent = new Map(files.map((file) => [file.path, file]));
  const sendFile = async (path: string) => {
    const file = unsent.get(path);
    if (!file) return;
    unsent.delete(path);
    await putFile(deployment, path, await readFile(toFilePath(dir, file.from)));
    tally.written += 1;
    showProgress(`Files  ${formatBar(1 - unsent.size / files.length)}`);
  };
  const sendFiles = (paths: Iterable<string>) => runInParallel(paths, maxConcurrentFiles, sendFile);
  const sendEarlyFiles = (paths: string[]) => sendFiles(paths.filter((path) => !triggersEvent(owner, path)));
  const isMissing = ({ state }: PendingFile) => state === 'absent' || (state === 'different' && existing === 'replace');
  const missing = files.filter(isMissing).map(({ path }) => path);
  /** Paths of documents to parse again. */
  const uploads = new Set<string>();
  /** Paths of the markers of deletions to complete. */
  const markers = new Set<string>();
  await sendEarlyFiles(missing);
  const rows = await writeRows(deployment, owner, readRows(deployment, dir, manifest, target, keptDays), existing, {
    onProgress: (count) => showProgress(`Rows   ${formatBar(count / (manifest.rows?.count ?? 1))}`),
    beforeWrite: (written) => sendEarlyFiles(written.flatMap((row) => listNamedFiles(owner, row))),
    onStored: (row, isWritten) => {
      const id = findDocumentId(owner, row);
      if (id === undefined) return;
      if (row.deleting) markers.add(toObjectKey('erasures', owner, id));
      // An interrupted run may have written the row of a document that is processing, but not its file.
      else if (isWritten || row.status?.S === 'processing') uploads.add(toObjectKey('uploads', owner, id));
    },
  });
  await raiseApiKeyCount(deployment, owner);
  await recountVersions(deployment, owner);
  await sendFiles([...missing, ...uploads]);
  for (const { state } of unsent.values()) tally[state === 'same' ? 'same' : 'kept'] += 1;
  // Last, so that the deletion finds all files. The export has only the markers of deletions that went on while it listed them.
  await runInParallel(markers, maxConcurrentFiles, (path) => putFile(deployment, path, new Uint8Array()));
  return { rows, files: tally, skipped };
}
