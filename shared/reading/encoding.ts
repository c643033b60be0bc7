/** No text has these; a bell, an escape or a form feed it may have. U+FFFE is a byte order mark read backwards. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const notText = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]/;

function decode(label: string, bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes);
    return notText.test(text) ? undefined : text;
  } catch {
    return undefined; // not this encoding, or a label that nobody knows
  }
}

/** UTF-16 without its mark: the high bytes of Latin letters, spaces and line ends are zero, and no other byte is. */
function utf16(bytes: Uint8Array): string | undefined {
  const zeros = [0, 0];
  const sample = bytes.subarray(0, 4096);
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (bytes.length % 2 !== 0 || even + odd < sample.length / 100 || (even > 0 && odd > 0)) return undefined;
  const text = decode(even > 0 ? 'utf-16be' : 'utf-16le', bytes);
  // Numbers in binary files have such zeros too, but make characters that nobody assigned.
  return text !== undefined && !/[\p{Cn}\p{Co}]/u.test(text) ? text : undefined;
}

/** The encoding that HTML or XML names in its first kilobyte. */
function declared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  return /^\s*<.*?(?:charset|encoding)\s*=\s*["']?([\w-]+)/is.exec(start)?.[1];
}

/** Other encodings than Windows-1252 pass for it too, but not as text that is mostly ASCII. */
function windows1252(bytes: Uint8Array): string | undefined {
  let ascii = 0;
  for (const byte of bytes) if (byte < 0x80) ascii++;
  // TextDecoder gives the five bytes that stand for nothing as control characters.
  return ascii * 2 >= bytes.length ? decode('windows-1252', bytes) : undefined;
}

/**
 * The text of a file, without its byte order mark: UTF-8, UTF-16 (marked or not), what HTML or XML declares, or
 * Windows-1252. Undefined where it is not text.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  const label = declared(bytes);
  return decode('utf-8', bytes) ?? utf16(bytes) ?? (label ? decode(label, bytes) : undefined) ?? windows1252(bytes);
}
