import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { formatBar, type ShowProgress } from '../../../terminal/progress.ts';
import { type FileVersion, findContent, listVersions } from '../deployment/bucket.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listExportedPartitions, listNamedFiles, toCurrentRow } from '../deployment/kinds.ts';
import { type Row, serializeRow } from '../deployment/row.ts';
import { queryPages, readApiKeyRows } from '../deployment/table.ts';
import { maxConcurrentFiles, runInParallel } from '../in-parallel.ts';
import {
  appendItems,
  type ExportedFile,
  hashContent,
  hashItems,
  type Manifest,
  readItems,
  saveFile,
  toFilePath,
  truncateItems,
  writeManifest,
} from './export-folder.ts';

/** Returns the manifest of a new export. */
export const createManifest = (
  { issuer, table, key }: Deployment,
  owner: string,
  user: string | null,
  workspace?: string | null,
): Manifest => ({
  format: 2,
  user,
  ...(workspace && { workspace }),
  issuer,
  owner,
  table,
  key,
  completed_at: null,
  rows: null,
  files: [],
  missing: [],
  cursor: null,
});

/**
 * Exports the rows page by page, from the manifest's cursor. An import can write the partitions in the same order.
 */
async function exportRows(
  deployment: Deployment,
  dir: string,
  manifest: Manifest,
  showProgress: ShowProgress,
): Promise<void> {
  const { owner } = manifest;
  const partitions = listExportedPartitions(owner);
  let { partition, from, bytes } = manifest.cursor ?? { partition: 0, bytes: 0 };
  let count = 0;
  await truncateItems(dir, bytes);
  const append = async (rows: Row[]) => {
    const lines = Buffer.from(rows.map((row) => `${serializeRow(toCurrentRow(row))}\n`).join(''));
    await appendItems(dir, lines);
    bytes += lines.length;
    count += rows.length;
    showProgress(`Rows   ${count.toLocaleString('en')}`);
  };
  for (; partition < partitions.length; partition++, from = undefined) {
    for await (const { rows, next } of queryPages(deployment, { pk: partitions[partition] ?? '', from })) {
      await append(rows);
      manifest.cursor = next ? { partition, from: next, bytes } : { partition: partition + 1, bytes };
      await writeManifest(dir, manifest);
    }
  }
  for await (const rows of readApiKeyRows(deployment, owner)) await append(rows);
}

/**
 * Lists the versions to export: the latest of each file, and the newest one of a deleted file that a row still names.
 */
async function listVersionsToExport(deployment: Deployment, owner: string, named: Set<string>): Promise<FileVersion[]> {
  const newest = new Map<string, FileVersion>();
  for await (const version of listVersions(deployment, owner)) {
    if (version.isMarker || newest.has(version.path)) continue;
    if (version.isLatest || named.has(version.path)) newest.set(version.path, version);
  }
  return [...newest.values()];
}

/** Exports a file, unless an earlier run has done so. Returns undefined if the version exists no more. */
async function exportFile(
  deployment: Deployment,
  dir: string,
  version: FileVersion,
): Promise<ExportedFile | undefined> {
  const file = toFilePath(dir, version.path);
  const existing = existsSync(file) ? await readFile(file) : undefined;
  const isCurrent = existing?.length === version.bytes && hashContent('md5', existing) === version.etag;
  const content = isCurrent ? existing : await findContent(deployment, version);
  if (!content) {
    await rm(file, { force: true });
    return undefined;
  }
  if (!isCurrent) await saveFile(dir, version.path, content);
  return { path: version.path, bytes: content.length, sha256: hashContent('sha256', content) };
}

/**
 * Exports all data of a user into a folder, and resumes an interrupted export. Does nothing if the manifest is
 * complete.
 */
export async function exportUser(
  deployment: Deployment,
  dir: string,
  manifest: Manifest,
  showProgress: ShowProgress,
): Promise<Manifest> {
  if (manifest.completed_at) return manifest;
  await writeManifest(dir, manifest);
  await exportRows(deployment, dir, manifest, showProgress);

  const named = new Set<string>();
  let count = 0;
  for await (const row of readItems(dir)) {
    count += 1;
    for (const path of listNamedFiles(manifest.owner, row)) named.add(path);
  }
  const versions = await listVersionsToExport(deployment, manifest.owner, named);
  const files: ExportedFile[] = [];
  let done = 0;
  await runInParallel(versions, maxConcurrentFiles, async (version) => {
    const file = await exportFile(deployment, dir, version);
    if (file) files.push(file);
    done += 1;
    showProgress(`Files  ${formatBar(done / versions.length)}`);
  });
  const exported = new Set(files.map(({ path }) => path));
  const complete: Manifest = {
    ...manifest,
    completed_at: new Date().toISOString(),
    rows: { count, sha256: await hashItems(dir) },
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    missing: [...named].filter((path) => !exported.has(path)),
    cursor: null,
  };
  await writeManifest(dir, complete);
  return complete;
}
