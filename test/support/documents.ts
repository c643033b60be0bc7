import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kind, kindOf } from '../../shared/reading/kind.ts';
import { type Page, type Reading, read } from '../../shared/reading/read.ts';
import { Unreadable } from '../../shared/reading/unreadable.ts';

/** A file of `test/data/documents`. */
export const sample = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../data/documents', name)));

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Reads a file as the kind that its name says. */
export async function readAs(fileName: string, bytes: Uint8Array, reading?: Reading): Promise<Page[]> {
  return read(bytes, await kindNamed(fileName, bytes), reading);
}

async function kindNamed(fileName: string, bytes: Uint8Array): Promise<Kind> {
  const kind = await kindOf(bytes, { fileName });
  if (!kind) throw new Error(`${fileName} is of no kind`);
  return kind;
}

/** The text of a file that has no pages. */
export async function textAs(fileName: string, bytes: Uint8Array | string): Promise<string | undefined> {
  const [page, ...others] = await readAs(fileName, typeof bytes === 'string' ? bytesOf(bytes) : bytes);
  if (page?.number !== null || others.length > 0) throw new Error(`${fileName} has pages`);
  return page.text;
}

/** The reason why something cannot be read; any other error is thrown on. */
export async function reasonOf(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
  return 'It was read';
}
