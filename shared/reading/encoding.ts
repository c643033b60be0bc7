/** Characters that never occur in text, unlike a bell, an escape or a form feed. U+FFFE is a reversed byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const nonTextCharacters = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]/g;

/** Returns true if text has characters that show that it is not text. */
export const hasNonText = (text: string): boolean => text.search(nonTextCharacters) >= 0;

/** Returns what bytes are in this encoding; undefined if they are not valid in it, or if it is unknown. */
function decodeStrictly(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the text of bytes in this encoding; undefined if they are not valid in it, are not text, or if it is unknown. */
export function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  const text = decodeStrictly(label, bytes);
  return text === undefined || hasNonText(text) ? undefined : text;
}

/** Characters of UTF-8 for each one that no text has. Programs that extract text leave some behind; other files have many. */
const charactersPerNonText = 500;

/** Returns true if text has more characters that no text has than those that programs leave behind. */
function hasManyNonText(text: string): boolean {
  let left = text.length / charactersPerNonText;
  for (const _ of text.matchAll(nonTextCharacters)) if (--left < 0) return true;
  return false;
}

/** Decodes UTF-8. A few characters may be none of text. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  const text = decodeStrictly('utf-8', bytes);
  return text !== undefined && !hasManyNonText(text) ? text : undefined;
}

/** Decodes UTF-32, which TextDecoder does not support, without its byte order mark. */
function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const utf16 = new Uint16Array(bytes.length / 2);
  let length = 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    if (code > 0x10ffff) return undefined;
    if (code > 0xffff) utf16[length++] = 0xd7c0 + (code >> 10);
    utf16[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code;
  }
  return decodeAs('utf-16le', new Uint8Array(utf16.buffer, 0, length * 2));
}

/** Characters that are frequent in text, unlike those that the reversed bytes of text decode to. */
const frequentCharacters = /[\n -~\u3000-\u30ff\uff00-\uff60]/g;

const countFrequent = (text: string | undefined) => (text?.match(frequentCharacters) ?? []).length;

/** Decodes UTF-16 or UTF-32 without a byte order mark: Latin letters, digits, spaces and line ends have bytes of zero. */
function decodeWide(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const zeros = [0, 0, 0, 0];
  const sample = bytes.subarray(0, 4096);
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 4] = (zeros[i % 4] ?? 0) + 1;
  if (zeros.every((count) => count === 0)) return undefined;
  const isAlwaysZero = zeros.map((count) => count === sample.length / 4);
  if (isAlwaysZero[0] || isAlwaysZero[3]) {
    const utf32 = decodeUtf32(bytes, isAlwaysZero[3] ?? false);
    if (countFrequent(utf32) > 0) return utf32;
  }
  const [little, big] = [decodeAs('utf-16le', bytes), decodeAs('utf-16be', bytes)];
  const text = countFrequent(little?.slice(0, 2048)) >= countFrequent(big?.slice(0, 2048)) ? little : big;
  // Numbers in binary files have such zeros too, but decode to rare or unassigned characters.
  return text !== undefined && countFrequent(text) > 0 && !/[\p{Cn}\p{Co}]/u.test(text) ? text : undefined;
}

/** Intact characters that text must have for each that is damaged. Text in another encoding hardly has any. */
export const intactCharacters = 20;

/** Decodes UTF-16 with a byte order mark. One damaged character, such as a half at the end, or a few are U+FFFD. */
function decodeMarkedUtf16(label: string, bytes: Uint8Array): string | undefined {
  const intact = decodeAs(label, bytes);
  if (intact !== undefined) return intact;
  const text = new TextDecoder(label).decode(bytes);
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  const isText = countFrequent(text) > 0 && !hasNonText(text) && !/[\p{Cn}\p{Co}]/u.test(text);
  return isText && (damaged - 1) * intactCharacters <= text.length ? text : undefined;
}

/** Decodes text that starts with a byte order mark, and returns it without. */
function decodeMarked(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return decodeUtf32(bytes, true);
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff) return decodeUtf32(bytes, false);
  if (first === 0xff && second === 0xfe) return decodeMarkedUtf16('utf-16le', bytes);
  return first === 0xfe && second === 0xff ? decodeMarkedUtf16('utf-16be', bytes) : undefined;
}

/** Start of Japanese text in ISO-2022-JP, which consists of ASCII bytes only. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence starts with an escape
const japaneseEscape = /\x1b\$[@B]/;

const startBytes = 1024;
const readStart = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, startBytes)).toString('latin1');

/** Returns the encoding that HTML or XML declares in its first kilobyte, if any. */
const findDeclaredEncoding = (bytes: Uint8Array): string | undefined =>
  /^\s*<.*?(?:charset|encoding)\s*=\s*["']?([\w-]+)/is.exec(readStart(bytes))?.[1];

/**
 * Returns the text of a file without its byte order mark, if its encoding is certain: Unicode, ISO-2022-JP, or the one that HTML or
 * XML declares. Undefined for others.
 */
export function decodeCertain(bytes: Uint8Array): string | undefined {
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== undefined) return (japaneseEscape.test(utf8) ? decodeAs('iso-2022-jp', bytes) : undefined) ?? utf8;
  const label = findDeclaredEncoding(bytes);
  return decodeMarked(bytes) ?? decodeWide(bytes) ?? (label ? decodeAs(label, bytes) : undefined);
}

/** Returns true if bytes may be text in an encoding that extends ASCII: they have no control characters, which others have. */
function maySeemText(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte < 0x07 || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20) || byte === 0x7f) return false;
  }
  return true;
}

/** Returns the text of a file, only its ASCII characters being certain; undefined if it is not text. Fast: detects no encoding. */
export function decodeRoughly(bytes: Uint8Array): string | undefined {
  return decodeCertain(bytes) ?? (maySeemText(bytes) ? Buffer.from(bytes).toString('latin1') : undefined);
}
