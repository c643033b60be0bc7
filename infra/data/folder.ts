import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Problem } from '../problem.ts';
import { type Row, rowOf } from './row.ts';

/** Nobody else on this machine may read what was exported. */
const [fileMode, folderMode] = [0o600, 0o700];

export interface KeptFile {
  /** Its name in the bucket, and below `files/`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** How far an export is that has not ended: which partition comes next, from which key, and how long items.jsonl is so far. */
export interface Cursor {
  partition: number;
  from?: Row;
  bytes: number;
}

/** What an export says of itself, in manifest.json. */
export interface Manifest {
  /** Releases that kept most rows of a user in one partition wrote 1. */
  format: 1 | 2;
  /** The `sub` and its issuer, and the user's part of every key, which is made of both. No table tells the `sub`: of all users it is null. */
  user: string | null;
  issuer: string;
  owner: string;
  table: string;
  /** The ARN of the KMS key that the credentials are encrypted by. */
  key: string;
  /** RFC 3339; null until all is there. */
  completed_at: string | null;
  rows: { count: number; sha256: string } | null;
  files: KeptFile[];
  /** Files that rows name, and that are gone for good. */
  missing: string[];
  cursor: Cursor | null;
}

const manifestIn = (dir: string) => join(dir, 'manifest.json');
const itemsIn = (dir: string) => join(dir, 'items.jsonl');

/** Whether a name in the bucket is one of the service's, and so leads nowhere else on a disk. */
const isPlain = (path: string) => /^[\w-]+(\/[\w-]+)+$/.test(path);

/** Where a file of the bucket is in the folder. Throws Problem. */
export function fileIn(dir: string, path: string): string {
  if (!isPlain(path)) throw new Problem(`${path} is no name of a file of this service: take it out, then run it again`);
  return join(dir, 'files', path);
}

/** Writes a file whole or not at all. */
async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: folderMode });
  await writeFile(`${file}.part`, content, { mode: fileMode });
  await rename(`${file}.part`, file);
}

/** Undefined where the folder has none. Throws Problem where it is of another kind. */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  if (!existsSync(manifestIn(dir))) return undefined;
  const manifest: Manifest = JSON.parse(await readFile(manifestIn(dir), 'utf8'));
  if (![1, 2].includes(manifest.format))
    throw new Problem(`${manifestIn(dir)} is of a format that this version does not know`);
  if (manifest.format === 1 && !manifest.completed_at)
    throw new Problem(`An earlier release began the export in ${dir}: make a new one, in another folder by --to`);
  return manifest;
}

export const writeManifest = (dir: string, manifest: Manifest): Promise<void> =>
  put(manifestIn(dir), `${JSON.stringify(manifest, null, 2)}\n`);

export const keepFile = (dir: string, path: string, content: Uint8Array): Promise<void> =>
  put(fileIn(dir, path), content);

/** Cuts items.jsonl to what is known to be whole. */
export async function beginItems(dir: string, bytes: number): Promise<void> {
  await appendFile(itemsIn(dir), '', { mode: fileMode });
  await truncate(itemsIn(dir), bytes);
}

export const appendItems = (dir: string, lines: Buffer): Promise<void> => appendFile(itemsIn(dir), lines);

/** The rows of items.jsonl, in order. `change` is given each line first. */
export async function* itemsOf(dir: string, change = (line: string) => line): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: createReadStream(itemsIn(dir)), crlfDelay: Infinity }))
    yield rowOf(change(line));
}

/** The SHA-256 of items.jsonl, in hex. */
export async function digestOfItems(dir: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(itemsIn(dir))) hash.update(chunk);
  return hash.digest('hex');
}

export const digestOf = (algorithm: 'sha256' | 'md5', content: Uint8Array): string =>
  createHash(algorithm).update(content).digest('hex');
