import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { UserError } from '../errors.ts';
import { readTextFile } from '../read-text-file.ts';

export const lockName = 'assistants.lock.json';

/** Maximum size of a lock file: an assistant takes some 200 bytes. */
const maxBytes = 20_000_000;

const Entry = v.object({
  id: v.pipe(v.string(), v.uuid()),
  /** `ETag` that the assistant had when the file was last equal to it. */
  etag: v.string(),
  /** Digest of the file's content at that time. */
  digest: v.string(),
});

/** Creation of an assistant whose answer has not been read. */
const Creation = v.object({
  /** Idempotency key of the request. */
  key: v.string(),
  /** Digest of the content that was sent. */
  digest: v.string(),
});

/** Name of a file in the folder itself, so that no entry leads out of it. */
const FileName = v.pipe(v.string(), v.regex(/^[^/\\.][^/\\]*\.(?:ya?ml|json)$/));

const Lock = v.object({
  /** Address of the API that the folder belongs to. */
  api: v.string(),
  assistants: v.record(FileName, Entry),
  /** Assistants that are being created, by file. */
  creating: v.optional(v.record(FileName, Creation), {}),
});

export type LockEntry = v.InferOutput<typeof Entry>;
export type Lock = v.InferOutput<typeof Lock>;

/** Reads the lock file of a folder, if it exists. Throws UserError if it cannot be read. */
export function readLock(folder: string): Lock | undefined {
  const path = join(folder, lockName);
  let text: string;
  try {
    text = readTextFile(path, maxBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UserError(`${path} cannot be read: ${(error as Error).message}`);
  }
  try {
    return v.parse(Lock, JSON.parse(text));
  } catch {
    throw new UserError(`${path} is damaged: restore it from git, or delete it and run assistants pull`);
  }
}

/** Writes the lock file, sorted by file, so that it is never half written and git shows few changes. */
export function writeLock(folder: string, { api, assistants, creating }: Lock): void {
  const sorted = Object.fromEntries(Object.entries(assistants).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const lock = { api, assistants: sorted, ...(Object.keys(creating).length > 0 && { creating }) };
  writeWhole(join(folder, lockName), `${JSON.stringify(lock, null, 2)}\n`);
}

/** Writes a file atomically. No file or link that is already there has the name of the temporary file. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
