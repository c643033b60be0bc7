import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { toPrintableLine } from '../../../../shared/domain/printable.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { parseRow, type Row } from '../deployment/row.ts';

/** Only the current user of the machine may read an export. */
const [fileMode, folderMode] = [0o600, 0o700];

export interface ExportedFile {
  /** Key in the bucket, and path below `files/`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** Position of an interrupted export: its next partition, the key to start from, and the length of items.jsonl. */
export interface Cursor {
  partition: number;
  from?: Row;
  bytes: number;
}

/** Content of manifest.json. */
export interface Manifest {
  /** Format 1 comes from releases that kept most rows of a user in one partition. */
  format: 1 | 2;
  /** `sub` of the user. Null in an export of all users, since the table does not store it. */
  user: string | null;
  /** Id of the workspace, in an export of one. */
  workspace?: string | null;
  /** Issuer of the `sub`. */
  issuer: string;
  /** The owner's part of every key, a hash of issuer and `sub` or workspace. */
  owner: string;
  table: string;
  /** ARN of the KMS key that encrypts the credentials. */
  key: string;
  /** RFC 3339 time; null until the export is complete. */
  completed_at: string | null;
  rows: { count: number; sha256: string } | null;
  files: ExportedFile[];
  /** Files that rows name but that no longer exist. */
  missing: string[];
  cursor: Cursor | null;
}

const toManifestPath = (dir: string) => join(dir, 'manifest.json');
const toItemsPath = (dir: string) => join(dir, 'items.jsonl');

/** True if a key in the bucket is one of the service's, so that it cannot escape the folder. */
const isServicePath = (path: string) => /^[\w-]+(?:\/[\w-]+(?:\.[\w-]+)*)+$/.test(path);

/** Returns the path of a bucket's file in the folder. Throws UserError if its key is not one of the service's. */
export function toFilePath(dir: string, path: string): string {
  if (!isServicePath(path))
    throw new UserError(`${toPrintableLine(path)} is not a file of this service: remove it, then run it again`);
  return join(dir, 'files', path);
}

/** Writes a file completely or not at all. */
async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: folderMode });
  await writeFile(`${file}.part`, content, { mode: fileMode });
  await rename(`${file}.part`, file);
}

/** Returns the manifest of a folder, if it has one. Throws UserError if its format is not supported. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  if (!existsSync(toManifestPath(dir))) return undefined;
  const manifest: Manifest = JSON.parse(await readFile(toManifestPath(dir), 'utf8'));
  if (![1, 2].includes(manifest.format))
    throw new UserError(`${toManifestPath(dir)} has a format that this version does not support`);
  if (manifest.format === 1 && !manifest.completed_at)
    throw new UserError(`An earlier release began the export in ${dir}: start a new one in another folder with --to`);
  return manifest;
}

export const writeManifest = (dir: string, manifest: Manifest): Promise<void> =>
  writeAtomically(toManifestPath(dir), `${JSON.stringify(manifest, null, 2)}\n`);

export const saveFile = (dir: string, path: string, content: Uint8Array): Promise<void> =>
  writeAtomically(toFilePath(dir, path), content);

/** Truncates items.jsonl to its complete lines. */
export async function truncateItems(dir: string, bytes: number): Promise<void> {
  await appendFile(toItemsPath(dir), '', { mode: fileMode });
  await truncate(toItemsPath(dir), bytes);
}

export const appendItems = (dir: string, lines: Buffer): Promise<void> => appendFile(toItemsPath(dir), lines);

/** Reads the rows of items.jsonl in order, and applies `change` to each line first. */
export async function* readItems(dir: string, change = (line: string) => line): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: createReadStream(toItemsPath(dir)), crlfDelay: Infinity }))
    yield parseRow(change(line));
}

/** Returns the SHA-256 of items.jsonl in hex. */
export async function hashItems(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(toItemsPath(dir))) hash.update(chunk);
  return hash.digest('hex');
}

export const hashContent = (algorithm: 'sha256' | 'md5', content: Uint8Array): string =>
  createHash(algorithm).update(content).digest('hex');
