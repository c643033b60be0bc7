import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectKind, type Kind } from '../../shared/reading/kind.ts';
import { type Page, type ParseOptions, parseFile } from '../../shared/reading/parse-file.ts';
import { Unreadable } from '../../shared/reading/unreadable.ts';
import type { Warning } from '../../shared/reading/warnings.ts';

/** Reads a file of `test/data/documents`. */
export const readSample = (name: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../data/documents', name)));

export const toBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Parses a file as the kind that its name and content indicate. */
export async function parseAs(fileName: string, bytes: Uint8Array, reading?: ParseOptions): Promise<Page[]> {
  return (await parseFile(bytes, await requireKind(fileName, bytes), reading)).pages;
}

/** Returns the warnings about a file. */
export async function parseWarnings(fileName: string, bytes: Uint8Array, reading?: ParseOptions): Promise<Warning[]> {
  return (await parseFile(bytes, await requireKind(fileName, bytes), reading)).warnings;
}

async function requireKind(fileName: string, bytes: Uint8Array): Promise<Kind> {
  const kind = await detectKind(bytes, { fileName });
  if (!kind) throw new Error(`${fileName} is of no kind`);
  return kind;
}

/** Returns the text of a file. Throws if it has pages. */
export async function parseText(fileName: string, bytes: Uint8Array | string): Promise<string | undefined> {
  const [page, ...others] = await parseAs(fileName, typeof bytes === 'string' ? toBytes(bytes) : bytes);
  if (page?.number !== null || others.length > 0) throw new Error(`${fileName} has pages`);
  return page.text;
}

/** Returns the reason why a file cannot be parsed. Rethrows any other error. */
export async function catchReason(reading: Promise<unknown>): Promise<string> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Unreadable) return error.reason;
    throw error;
  }
  return 'It was read';
}
