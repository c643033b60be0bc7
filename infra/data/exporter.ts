import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { bar, type Say } from '../progress.ts';
import { contentOf, type Version, versionsOf } from './bucket.ts';
import {
  appendItems,
  beginItems,
  digestOf,
  digestOfItems,
  fileIn,
  itemsOf,
  type KeptFile,
  keepFile,
  type Manifest,
  writeManifest,
} from './folder.ts';
import { filesTogether, inParallel } from './in-parallel.ts';
import { allPartitionsOf, filesNamedBy, moved } from './kinds.ts';
import type { Place } from './place.ts';
import { lineOf, type Row } from './row.ts';
import { apiKeyRows, pagesOf } from './table.ts';

/** An export that has yet to be made. */
export const begun = ({ issuer, table, key }: Place, owner: string, user: string | null): Manifest => ({
  format: 2,
  user,
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

/** Reads the rows, page by page, from where the manifest says. Partitions come in the order in which they may be written again. */
async function takeRows(place: Place, dir: string, manifest: Manifest, say: Say): Promise<void> {
  const { owner } = manifest;
  const partitions = allPartitionsOf(owner);
  let { partition, from, bytes } = manifest.cursor ?? { partition: 0, bytes: 0 };
  let count = 0;
  await beginItems(dir, bytes);
  const keep = async (rows: Row[]) => {
    const lines = Buffer.from(rows.map((row) => `${lineOf(moved(row))}\n`).join(''));
    await appendItems(dir, lines);
    bytes += lines.length;
    count += rows.length;
    say(`Rows   ${count.toLocaleString('en')}`);
  };
  for (; partition < partitions.length; partition++, from = undefined) {
    for await (const { rows, next } of pagesOf(place, { pk: partitions[partition] ?? '', from })) {
      await keep(rows);
      manifest.cursor = next ? { partition, from: next, bytes } : { partition: partition + 1, bytes };
      await writeManifest(dir, manifest);
    }
  }
  for await (const rows of apiKeyRows(place, owner)) await keep(rows);
}

/** The files to take: those that are there, and of those that are not any more, the newest version where a row still names it. */
async function wanted(place: Place, owner: string, named: Set<string>): Promise<Version[]> {
  const newest = new Map<string, Version>();
  for await (const version of versionsOf(place, owner)) {
    if (version.isMarker || newest.has(version.path)) continue;
    if (version.isLatest || named.has(version.path)) newest.set(version.path, version);
  }
  return [...newest.values()];
}

/** A file of the folder, fetched unless an earlier run did. */
async function take(place: Place, dir: string, version: Version): Promise<KeptFile> {
  const file = fileIn(dir, version.path);
  const kept = existsSync(file) ? await readFile(file) : undefined;
  const isThere = kept?.length === version.bytes && digestOf('md5', kept) === version.etag;
  const content = isThere ? kept : await contentOf(place, version);
  if (!isThere) await keepFile(dir, version.path, content);
  return { path: version.path, bytes: content.length, sha256: digestOf('sha256', content) };
}

/**
 * Brings all data of a user into a folder, from where an earlier run has stopped. Changes nothing where the manifest says that
 * it is complete.
 */
export async function exportUser(place: Place, dir: string, manifest: Manifest, say: Say): Promise<Manifest> {
  if (manifest.completed_at) return manifest;
  await writeManifest(dir, manifest);
  await takeRows(place, dir, manifest, say);

  const named = new Set<string>();
  let count = 0;
  for await (const row of itemsOf(dir)) {
    count += 1;
    for (const path of filesNamedBy(manifest.owner, row)) named.add(path);
  }
  const versions = await wanted(place, manifest.owner, named);
  const files: KeptFile[] = [];
  await inParallel(versions, filesTogether, async (version) => {
    files.push(await take(place, dir, version));
    say(`Files  ${bar(files.length / versions.length)}`);
  });
  const there = new Set(files.map(({ path }) => path));
  const complete: Manifest = {
    ...manifest,
    completed_at: new Date().toISOString(),
    rows: { count, sha256: await digestOfItems(dir) },
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    missing: [...named].filter((path) => !there.has(path)),
    cursor: null,
  };
  await writeManifest(dir, complete);
  return complete;
}
