import { chardet } from 'jschardet';
import { decodeAs, hasNonText, intactCharacters } from './encoding.ts';

/** Names of the encodings that TextDecoder decodes, by the detector's names. */
const labels: Record<string, string> = {
  big5hkscs: 'big5',
  cp932: 'shift_jis',
  shift_jis_2004: 'shift_jis',
  euc_jis_2004: 'euc-jp',
  cp949: 'euc-kr',
  euc_kr: 'euc-kr',
  gb18030: 'gb18030',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1255: 'windows-1255',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp1258: 'windows-1258',
  cp866: 'ibm866',
  cp874: 'windows-874',
  'tis-620': 'windows-874',
  'iso8859-1': 'windows-1252',
  'iso8859-2': 'iso-8859-2',
  'iso8859-3': 'iso-8859-3',
  'iso8859-4': 'iso-8859-4',
  'iso8859-5': 'iso-8859-5',
  'iso8859-6': 'iso-8859-6',
  'iso8859-7': 'iso-8859-7',
  'iso8859-8': 'iso-8859-8',
  'iso8859-9': 'windows-1254',
  'iso8859-10': 'iso-8859-10',
  'iso8859-13': 'iso-8859-13',
  'iso8859-14': 'iso-8859-14',
  'iso8859-15': 'iso-8859-15',
  'iso8859-16': 'iso-8859-16',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'mac-cyrillic': 'x-mac-cyrillic',
  'mac-roman': 'macintosh',
};

/** Bytes that the detector sees. More would not change its result. */
const sampleBytes = 100_000;

/** Returns the part of a file around its first byte that is not ASCII, from the start of its line. */
function takeSample(bytes: Uint8Array, first: number): Uint8Array {
  const start = Math.max(0, bytes.lastIndexOf(0x0a, first) + 1, first - sampleBytes / 2);
  return bytes.subarray(start); // the detector must know that it sees only a part
}

/** Encodings of old systems, which have letters for bytes that are punctuation in others. A few characters do not show them. */
const oldEncodings = new Set(['cp866', 'mac-cyrillic', 'mac-roman']);
const fewCharacters = 4;

/** Returns the encodings that may fit, the likeliest first. */
function detectEncodings(sample: Uint8Array): string[] {
  const foreign = sample.subarray(0, sampleBytes).filter((byte) => byte >= 0x80).length;
  const found = chardet.detectAll(sample, {
    includeEncodings: Object.keys(labels).filter((name) => foreign >= fewCharacters || !oldEncodings.has(name)),
    ignoreThreshold: true,
    compatNames: false,
    maxBytes: sampleBytes,
  });
  return [...new Set(found.flatMap(({ encoding }) => labels[encoding ?? ''] ?? []))];
}

/** Control characters of ISO 8859, which no text has: they show that it has another encoding. U+0085 ends lines. */
const oddControls = /[\x80-\x84\x86-\x9f]/;

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

export interface GuessedText {
  text: string;
  /** Name of the encoding, such as `windows-1251`. */
  encoding: string;
  /** Number of characters that are damaged. Each is U+FFFD in the text. */
  damaged: number;
}

/** Decodes bytes with a few damaged characters. Returns undefined if there are too many. */
function decodeDamaged(encoding: string, bytes: Uint8Array): GuessedText | undefined {
  const text = new TextDecoder(encoding).decode(bytes);
  const damaged = count(text, /\ufffd/g);
  const foreign = count(text, /[^\0-\x7f\ufffd]/g);
  return damaged * intactCharacters <= foreign && !hasNonText(text) ? { text, encoding, damaged } : undefined;
}

/**
 * Returns the text of bytes in the encoding that fits its language best. Undefined if none fits. Loads a megabyte of statistics about
 * languages, in 0.1 s.
 */
export function guessText(bytes: Uint8Array): GuessedText | undefined {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first === -1) return undefined; // control characters
  const damagedUtf8 = decodeDamaged('utf-8', bytes);
  if (damagedUtf8) return damagedUtf8;
  for (const encoding of detectEncodings(takeSample(bytes, first))) {
    const text = decodeAs(encoding, bytes);
    if (text !== undefined && !oddControls.test(text)) return { text, encoding, damaged: 0 };
    const damaged = text === undefined ? decodeDamaged(encoding, bytes) : undefined;
    if (damaged) return damaged;
  }
  return undefined;
}
