import { fileTypeFromBuffer } from 'file-type';
import { decodeText } from './encoding.ts';
import { endings, type KindName, mediaTypes } from './media-types.ts';

export interface Kind {
  name: KindName;
  mediaType: string;
}

const kind = (name: KindName): Kind => ({ name, mediaType: mediaTypes[name] });

const named = Object.keys(mediaTypes) as KindName[];

const declaredTypes: Record<string, KindName> = {
  'text/x-markdown': 'markdown',
  'application/xhtml+xml': 'html',
  'text/tab-separated-values': 'csv',
  'text/json': 'json',
};

const isText = (name: KindName) => Object.values(endings).includes(name);

/** Which kind of text it is said to be. A client knows the ending better than the type, which it often guesses. */
function told({ fileName = '', contentType = '' }: Hint): KindName | undefined {
  const ending = /\.(\w+)$/.exec(fileName.trim())?.[1]?.toLowerCase() ?? '';
  const type = contentType.split(';', 1).join().trim().toLowerCase();
  const byType = named.find((name) => mediaTypes[name] === type && isText(name));
  return new Map(Object.entries(endings)).get(ending) ?? byType ?? new Map(Object.entries(declaredTypes)).get(type);
}

/** What a client says of a file: its name, and its media type with or without parameters. Either may be wrong. */
export interface Hint {
  fileName?: string | undefined;
  contentType?: string | undefined;
}

/** Languages for printers and the like: characters only, but not the text that a reader sees. */
const program = /^\s*(?:\{\\rtf|%!PS)/;

/** A PDF may have up to a kilobyte of other bytes before it, as mail and web servers leave them. */
const beginsLate = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');

/**
 * What a file is, by its bytes. What the client says tells kinds of text apart, and nothing else. Undefined where it is
 * none of the kinds above: another format, a file of bytes that mean nothing here, or an empty one.
 */
export async function kindOf(bytes: Uint8Array, hint: Hint): Promise<Kind | undefined> {
  if (bytes.length === 0) return undefined;
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const binary = named.find((name) => mediaTypes[name] === found?.mime && !isText(name));
  if (binary) return kind(binary);
  // Text that happens to begin like another format ("BM" begins bitmaps) is text all the same.
  const text = decodeText(bytes);
  if (text === undefined) return beginsLate(bytes) && !found ? kind('pdf') : undefined;
  if (program.test(text)) return undefined;
  return kind(told(hint) ?? (/^\s*<(?:!doctype html|html)\b/i.test(text) ? 'html' : 'txt'));
}
