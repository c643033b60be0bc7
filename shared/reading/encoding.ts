/** Characters that never occur in text, unlike a bell, an escape or a form feed. U+FFFE is a reversed byte order mark. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const nonTextCharacters = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]/;

function decode(label: string, bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return nonTextCharacters.test(text) ? undefined : text;
  } catch {
    return undefined; // another encoding, or an unknown label
  }
}

/** Decodes UTF-16 without a byte order mark: only the high bytes of Latin letters, spaces and line ends are zero. */
function decodeUtf16(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  const sample = bytes.subarray(0, 4096);
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (bytes.length % 2 !== 0 || even + odd < sample.length / 100 || (even > 0 && odd > 0)) return undefined;
  const text = decode(even > 0 ? 'utf-16be' : 'utf-16le', bytes);
  // Numbers in binary files have such zeros too, but decode to unassigned characters.
  return text !== undefined && !/[\p{Cn}\p{Co}]/u.test(text) ? text : undefined;
}

/** Returns the encoding that HTML or XML declares in its first kilobyte, if any. */
function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /^\s*<.*?(?:charset|encoding)\s*=\s*["']?([\w-]+)/is.exec(start)?.[1];
}

/** Decodes Windows-1252 if at least half of the bytes are ASCII. Text in other encodings could pass for it too, but has less ASCII. */
function decodeWindows1252(bytes: Uint8Array): string | undefined {
  let ascii = 0;
  for (const byte of bytes) if (byte < 0x80) ascii++;
  // TextDecoder decodes the five undefined bytes to control characters instead of failing.
  return ascii * 2 >= bytes.length ? decode('windows-1252', bytes) : undefined;
}

/**
 * Returns the text of a file without its byte order mark; undefined if it is not text. Tries UTF-8, UTF-16 with and without a byte
 * order mark, the encoding that HTML or XML declares, and Windows-1252.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  const label = findDeclaredEncoding(bytes);
  return (
    decode('utf-8', bytes) ??
    decodeUtf16(bytes) ??
    (label ? decode(label, bytes) : undefined) ??
    decodeWindows1252(bytes)
  );
}
