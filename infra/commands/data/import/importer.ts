import { readFile } from 'node:fs/promises';
import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hasExpired } from '../../../../shared/domain/api-key.ts';
import { toPrintableLine } from '../../../../shared/domain/printable.ts';
import { listFolderPrefixes, toObjectKey } from '../../../../shared/store/files/folders.ts';
import { parseUsageKey, toApiKeyCountKey, toApiKeyListPrefix } from '../../../../shared/store/table/keys.ts';
import { formatBar, type ShowProgress } from '../../../terminal/progress.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { listVersions, putFile } from '../deployment/bucket.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { findDocumentId, findKind, hasValidIds, type Kind, listNamedFiles, toCurrentRow } from '../deployment/kinds.ts';
import { type Row, toAttributes, toKey } from '../deployment/row.ts';
import { queryPages } from '../deployment/table.ts';
import { compareRows, writeRows } from '../deployment/write-rows.ts';
import { type ExportedFile, type Manifest, readItems, toFilePath } from '../export/export-folder.ts';
import { verifyExport } from '../export/verify-export.ts';
import { maxConcurrentFiles, runInParallel, toBatches } from '../in-parallel.ts';
import { findOwnerKey, type OwnerName } from '../owner.ts';
import { type ExistingPolicy, rejectDifferences, type Tally } from './existing-policy.ts';
import { recountVersions } from './versions.ts';

/** Owner who gets the data, or nulls for the exported one. */
export interface ImportOptions extends OwnerName {
  existing: ExistingPolicy;
}

export interface ImportResult {
  rows: Tally;
  files: Tally;
  /** Names of items that another user or KMS key cannot use. */
  skipped: { credentials: string[]; webhooks: string[]; apiKeys: string[] };
}

/** Owner who gets the data: the key, and a user's `sub` if it is known. */
interface Target {
  owner: string;
  user: string | null;
}

/** True if a path in the bucket is in the folders of an owner. */
const isOwnFile = (owner: string, path: string) => listFolderPrefixes(owner).some((folder) => path.startsWith(folder));

/**
 * Reads the rows to import. Calls `onSkip` for those that the target cannot use. Throws UserError if a row belongs to
 * somebody else, or names a file of somebody else.
 */
async function* readRows(
  { key }: Deployment,
  dir: string,
  manifest: Manifest,
  { owner, user }: Target,
  keptDays: ReadonlySet<string> = new Set(),
  onSkip: (kind: Kind, row: Row) => void = () => {},
): AsyncGenerator<Row> {
  const encrypted: Kind[] = ['credential', 'webhook', 'webhook set', 'delivery', 'replay'];
  const personal: Kind[] = [...encrypted, 'API key', 'listed API key', 'idempotency record', 'event'];
  const skippedKinds: Kind[] = owner !== manifest.owner ? personal : key !== manifest.key ? encrypted : [];
  // The owner is a hash of 256 bits, so it occurs nowhere by accident: replace it in keys, indexes and file names.
  for await (const stored of readItems(dir, (line) => line.replaceAll(manifest.owner, owner))) {
    const row = toCurrentRow(stored);
    const kind = findKind(owner, row);
    if (!kind)
      throw new UserError(
        `items.jsonl has a row of another user (${toPrintableLine(toKey(row).pk)}): nothing was written`,
      );
    const foreign = listNamedFiles(owner, row).find((path) => !isOwnFile(owner, path));
    if (foreign !== undefined)
      throw new UserError(
        `items.jsonl has a row with a file of another user (${toPrintableLine(foreign)}): nothing was written`,
      );
    if (!hasValidIds(kind, row))
      throw new UserError(
        `items.jsonl has a row whose id is not one of this service (${toPrintableLine(toKey(row).sk)}): nothing was written`,
      );
    if (kind === 'usage' && keptDays.has(toUsageDay(row))) continue;
    if (skippedKinds.includes(kind)) onSkip(kind, row);
    else if (kind !== 'count' && kind !== 'API key count') yield owner === manifest.owner ? row : changeUser(row, user); // counts are rebuilt
  }
}

const toUsageDay = (row: Row) => parseUsageKey(toKey(row).sk).day;

/**
 * Lists the days whose usage exists and differs from the export: calls were counted since. They stay as they are, since sums of one
 * day cannot be told apart.
 */
async function listKeptDays(deployment: Deployment, dir: string, manifest: Manifest, target: Target) {
  const days = new Set<string>();
  for await (const batch of toBatches(readRows(deployment, dir, manifest, target), 100)) {
    const usage = batch.filter((row) => findKind(target.owner, row) === 'usage');
    if (usage.length === 0) continue;
    for (const row of (await compareRows(deployment, usage)).different) days.add(toUsageDay(row));
  }
  return days;
}

/** Returns a row without the id of its former user. Versions name the new one; in a workspace, they go on naming who published them. */
function changeUser({ user_id: _, ...row }: Row, user: string | null): Row {
  if (user === null) return row;
  const live = row.versions?.M?.live?.M;
  const named = { S: user };
  return {
    ...row,
    ...(row.published_by && { published_by: named }),
    ...(live && { versions: { M: { ...row.versions?.M, live: { M: { ...live, changed_by: named } } } } }),
  };
}

/** Exported file, compared with the bucket. */
interface PendingFile {
  from: string;
  path: string;
  state: 'absent' | 'same' | 'different';
}

/** Compares the files with those in the bucket. */
async function compareFiles(
  deployment: Deployment,
  manifest: Manifest,
  owner: string,
  digests: Map<ExportedFile, string>,
) {
  const stored = new Map<string, string>();
  for await (const { path, etag, isLatest, isMarker } of listVersions(deployment, owner))
    if (isLatest && !isMarker) stored.set(path, etag);
  return [...digests].map(([{ path: from }, md5]): PendingFile => {
    const path = from.replaceAll(manifest.owner, owner);
    if (!isOwnFile(owner, path)) throw new UserError(`${path} is a file of another user: nothing was written`);
    const etag = stored.get(path);
    return { from, path, state: etag === undefined ? 'absent' : etag === md5 ? 'same' : 'different' };
  });
}

/** Lists the rows and files that exist but differ. */
async function listDifferences(
  deployment: Deployment,
  rows: AsyncIterable<Row>,
  files: PendingFile[],
): Promise<string[]> {
  const names = files.filter(({ state }) => state === 'different').map(({ path }) => path);
  for await (const batch of toBatches(rows, 100)) {
    const { different } = await compareRows(deployment, batch);
    names.push(...different.map((row) => Object.values(toKey(row)).join(' ')));
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

/** True if the arrival of a file triggers ingestion, which deletes a document without a record. */
const triggersEvent = (owner: string, path: string) =>
  (['uploads', 'erasures'] as const).some((folder) => path.startsWith(`${toObjectKey(folder, owner)}/`));

/**
 * Imports an export. Skips what exists and is equal, so a second run resumes the first. Writes files before the rows
 * that name them, except for files that trigger ingestion. Writes the files of a row that it writes even if the bucket had them: their user
 * may have deleted them since, and a document that is processing waits for the event of its file. Completes deletions that the export
 * shows as begun. Throws UserError, before it writes anything, if the export is not complete, or if something differs and the policy is
 * `refuse`.
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
  const skipped: ImportResult['skipped'] = { credentials: [], webhooks: [], apiKeys: [] };
  const skip = (kind: Kind, { service_type, name, url }: Row) => {
    if (kind === 'credential') skipped.credentials.push(`${service_type?.S} ${name?.S}`);
    if (kind === 'webhook' && url?.S) skipped.webhooks.push(url.S);
    if (kind === 'API key' && name?.S) skipped.apiKeys.push(name.S);
  };
  const target = { owner, user: name.user };
  const keptDays = await listKeptDays(deployment, dir, manifest, target);
  const different = await listDifferences(
    deployment,
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
  const rows = await writeRows(
    deployment,
    owner,
    readRows(deployment, dir, manifest, target, keptDays),
    existing,
    (count) => showProgress(`Rows   ${formatBar(count / (manifest.rows?.count ?? 1))}`),
    (written) => sendEarlyFiles(written.flatMap((row) => listNamedFiles(owner, row))),
    (row, isWritten) => {
      const id = findDocumentId(owner, row);
      if (id === undefined) return;
      if (row.deleting) markers.add(toObjectKey('erasures', owner, id));
      // An interrupted run may have written the row of a document that is processing, but not its file.
      else if (isWritten || row.status?.S === 'processing') uploads.add(toObjectKey('uploads', owner, id));
    },
  );
  await raiseApiKeyCount(deployment, owner);
  await recountVersions(deployment, owner);
  await sendFiles([...missing, ...uploads]);
  for (const { state } of unsent.values()) tally[state === 'same' ? 'same' : 'kept'] += 1;
  // Last, so that the deletion finds all files. The export has only the markers of deletions that went on while it listed them.
  await runInParallel(markers, maxConcurrentFiles, (path) => putFile(deployment, path, new Uint8Array()));
  return { rows, files: tally, skipped: skipped };
}
