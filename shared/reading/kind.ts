import { fileTypeFromBuffer } from 'file-type';
import { decodeRoughly } from './encoding.ts';
import { findKindByMediaType, findKindByName, isTextKind, type KindName, mediaTypes } from './media-types.ts';

export interface Kind {
  name: KindName;
  mediaType: string;
}

const toKind = (name: KindName): Kind => ({ name, mediaType: mediaTypes[name] });

/** Returns the kind of text that a client declares. The extension comes first, because clients often guess the media type. */
const findDeclaredKind = ({ fileName = '', contentType = '' }: Hint): KindName | undefined =>
  [findKindByName(fileName), findKindByMediaType(contentType)].find((kind) => kind && isTextKind(kind));

/** Name and media type of a file, as the client declares them. Either may be wrong. The type may have parameters. */
export interface Hint {
  fileName?: string | undefined;
  contentType?: string | undefined;
}

/** Matches PostScript, which consists of text characters, but not of the text that a reader sees. */
const programText = /^\s*%!PS/;

/** Returns the kind of a file that is not text, by its detected media type. */
function findBinaryKind(mediaType = ''): KindName | undefined {
  const kind = findKindByMediaType(mediaType);
  return kind && !isTextKind(kind) ? kind : undefined;
}

const maxHeadCharacters = 16_384;
const mailField = /^(?:from|to|date|subject|received|return-path|message-id|mime-version):/i;

/** Returns true if text starts with the header of an e-mail: only fields, among them two that every e-mail has. */
function isMail(text: string): boolean {
  const [head = ''] = text.slice(0, maxHeadCharacters).split(/\r?\n\r?\n/, 1);
  const lines = head.split(/\r?\n/);
  const fields = lines.filter((line) => mailField.test(line));
  return fields.length > 1 && lines.slice(0, -1).every((line) => /^(?:[!-9;-~]+:|[ \t]|From )/.test(line));
}

/** Returns the kind of text that its content shows. */
function findShownKind(text: string): KindName {
  if (/^\s*<(?:!doctype html|html)\b/i.test(text)) return 'html';
  return isMail(text) ? 'eml' : 'txt';
}

/** Returns true if a PDF starts within the first kilobyte. Mail and web servers leave other bytes before it. */
const hasLatePdfHeader = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-');

/** Kinds whose first bytes are letters, with which a text may begin, too: `BM` and `GIF`. */
const startsWithLetters: readonly KindName[] = ['bmp', 'gif'];

/** The part of each Office format that names its content. */
const mainParts = { 'word/document.xml': 'docx', 'ppt/presentation.xml': 'pptx', 'xl/workbook.xml': 'xlsx' } as const;

/** First bytes of a file in an archive, of an entry of its directory, and of what follows the directory, as numbers. */
const archiveMarks = { file: 0x04034b50, entry: 0x02014b50, end: Buffer.from('PK\x05\x06') };

/** Bytes that ZIP64 has between the directory of an archive and what follows it. */
const zip64Bytes = 76;

/** Returns true if the directory of an archive has an entry with this name, which follows 46 bytes with its length. */
function hasEntry(directory: Buffer, name: string): boolean {
  for (let at = directory.indexOf(name); at >= 0; at = directory.indexOf(name, at + 1)) {
    const isEntry = at >= 46 && directory.readUInt32LE(at - 46) === archiveMarks.entry;
    if (isEntry && directory.readUInt16LE(at - 18) === name.length) return true;
  }
  return false;
}

/** Returns the kind of a large Office file: file-type looks at the first 1,024 parts of an archive, and at the first megabyte of each. */
function findOfficeKind(bytes: Uint8Array): KindName | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 22 || file.readUInt32LE(0) !== archiveMarks.file) return undefined;
  const end = file.lastIndexOf(archiveMarks.end);
  if (end < 0 || end + 16 > file.length) return undefined;
  const directory = file.subarray(Math.max(0, end - zip64Bytes - file.readUInt32LE(end + 12)), end);
  const [, kind] = Object.entries(mainParts).find(([name]) => hasEntry(directory, name)) ?? [];
  return kind;
}

/**
 * Detects the kind of a file by its bytes. The client's hint only distinguishes kinds of text. Returns undefined for an unsupported
 * format and for an empty file.
 */
export async function detectKind(bytes: Uint8Array, hint: Hint): Promise<Kind | undefined> {
  if (bytes.length === 0) return undefined;
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const binary = findBinaryKind(found?.mime) ?? findOfficeKind(bytes);
  if (binary && !startsWithLetters.includes(binary)) return toKind(binary);
  const text = decodeRoughly(bytes);
  if (binary && text === undefined) return toKind(binary);
  if (text === undefined) return hasLatePdfHeader(bytes) && !found ? toKind('pdf') : undefined;
  if (programText.test(text)) return undefined;
  const declared = findDeclaredKind(hint);
  if (declared === 'eml' && !isMail(text)) return toKind('txt');
  return toKind(declared ?? findShownKind(text));
}
