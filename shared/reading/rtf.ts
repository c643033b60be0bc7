import { TextDecoder } from 'node:util';
import { type Bounds, limits } from './limits.ts';
import { normalizeText } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** Encodings by the number of a code page, unless it is `windows-` and the number. */
const codePages: Record<number, string> = {
  866: 'ibm866',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  65001: 'utf-8',
};

/** Code page of fonts of symbols, which no decoder knows. */
const symbolCodePage = 42;

/** Code page of character sets that no decoder knows. */
const unknownCodePage = 0;

/** Code pages by the number of a font's character set. Sets 0 and 1 have that of the file. */
const fontCodePages: Record<number, number> = {
  2: symbolCodePage,
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

/** Decoder of a code page. It is a guess if the file names none, or one that is unknown. */
interface CodePageDecoder {
  decoder: TextDecoder;
  isGuess: boolean;
}

function createDecoder(codePage: number | undefined): CodePageDecoder {
  try {
    if (codePage !== undefined) {
      return { decoder: new TextDecoder(codePages[codePage] ?? `windows-${codePage}`), isGuess: false };
    }
  } catch {
    // an unknown code page
  }
  return { decoder: new TextDecoder('windows-1252'), isGuess: true };
}

/** Returns true if bytes have letters that depend on the code page. The bullet of symbols is one in Windows-1252, too. */
const hasForeign = (bytes: number[], codePage: number | undefined): boolean =>
  bytes.some((byte) => byte >= 0x80 && !(byte === 0xb7 && codePage === symbolCodePage));

const toSet = (names: string) => new Set(names.split(' '));

/** Groups without text that a reader sees. So are all that start with `\*`, except those below. */
const hiddenGroups = toSet(
  'fonttbl colortbl stylesheet info pict nonshppict sp shprslt listtable filetbl revtbl xe tc rxe atnid atnauthor objdata ' +
    'fldinst nonesttables',
);
const shownGroups = toSet('shpinst annotation footnote');

/** Text of control words and symbols. */
const symbols = new Map(
  Object.entries({
    par: '\n\n',
    sect: '\n\n',
    page: '\n\n',
    line: '\n',
    tab: '\t',
    cell: ' | ',
    nestcell: ' | ',
    row: '\n',
    footnote: ' ',
    nestrow: '\n',
    emdash: '—',
    endash: '–',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    bullet: '•',
    emspace: ' ',
    enspace: ' ',
    '~': ' ',
    _: '-',
    '\\': '\\',
    '{': '{',
    '}': '}',
    '\n': '\n\n',
    '\r': '\n\n',
  }),
);

/** State of a group, which ends with it. */
interface Group {
  hidden: boolean;
  deleted: boolean;
  /** Number of the font. */
  font: number;
  /** Number of bytes that stand for a Unicode character in old readers. */
  fallbackBytes: number;
}

const maxGroups = limits.depth;

/** Matches the next token: a group's start or end, an escaped byte, a control word, a control symbol, or plain text. */
const token = /[{}]|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})? ?|\\([^a-z])|[\r\n]+|[^{}\\\r\n]+/gi;

/** Removes the separators after the last cell with text. A regular expression would try again at each of them. */
function trimCells(line: string): string {
  let rest = line.trimEnd();
  while (rest.endsWith(' |')) rest = rest.slice(0, -2).trimEnd();
  return rest;
}

/** Returns the text of an RTF file. Throws Unreadable if it is nested too deeply. */
export function parseRtf(bytes: Uint8Array, bounds: Bounds): string {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const parts: string[] = [];
  const fonts = new Map<number, number>();
  const decoders = new Map<number | undefined, CodePageDecoder>();
  const groups: Group[] = [];
  let group: Group = { hidden: false, deleted: false, font: -1, fallbackBytes: 1 };
  let codePage: number | undefined;
  let isGuessed = false;
  let pending: number[] = []; // bytes of characters that are not decoded yet
  let skip = 0; // characters that repeat a Unicode character
  let definedFont = -1;
  let defaultFont = -1;

  const isShown = () => !group.hidden && !group.deleted;
  const write = (text: string) => {
    if (isShown()) parts.push(bounds.limitText(text));
  };
  const flush = () => {
    if (pending.length === 0) return;
    const page = fonts.get(group.font) ?? codePage;
    const found = decoders.get(page) ?? createDecoder(page);
    decoders.set(page, found);
    isGuessed ||= found.isGuess && hasForeign(pending, page);
    write(found.decoder.decode(Uint8Array.from(pending)));
    pending = [];
  };
  const addByte = (byte: number) => {
    if (skip > 0) skip--;
    else if (isShown()) pending.push(byte);
  };

  /** Applies a control word. Returns the number of bytes of binary data that follow it. */
  const applyWord = (word: string, parameter: number | undefined): number => {
    if (word === 'bin') return Math.max(0, parameter ?? 0);
    if (word === 'u') {
      write(String.fromCharCode((parameter ?? 0) & 0xffff));
      skip = group.fallbackBytes;
    } else if (word === 'uc') group.fallbackBytes = Math.max(0, parameter ?? 1);
    else if (word === 'ansicpg') codePage = parameter ?? codePage;
    else if (word === 'mac') codePage = 10_000;
    else if (word === 'pc') codePage = 437;
    else if (word === 'pca') codePage = 850;
    else if (word === 'f') group.font = definedFont = parameter ?? 0;
    else if (word === 'deff') group.font = defaultFont = parameter ?? 0;
    else if (word === 'plain') group.font = defaultFont;
    else if (word === 'fcharset') {
      const charset = parameter ?? 0;
      if (charset > 1) fonts.set(definedFont, fontCodePages[charset] ?? unknownCodePage);
    } else if (word === 'deleted') group.deleted = parameter !== 0;
    else if (hiddenGroups.has(word)) group.hidden = true;
    else write(symbols.get(word) ?? '');
    return 0;
  };

  token.lastIndex = 0;
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [all, hex, word, parameter, symbol] = match;
    if (hex) {
      addByte(Number.parseInt(hex, 16));
    } else if (word === undefined && symbol === undefined && !/[{}\r\n]/.test(all)) {
      for (let i = 0; i < all.length; i++) addByte(all.charCodeAt(i));
    } else if (!/[\r\n]/.test(all[0] ?? '')) {
      flush();
      if (all === '{') {
        if (groups.length >= maxGroups) throw new Unreadable('too_deep');
        groups.push({ ...group });
      } else if (all === '}') {
        group = groups.pop() ?? group;
        skip = 0;
      } else if (word) {
        token.lastIndex += applyWord(word.toLowerCase(), parameter === undefined ? undefined : Number(parameter));
      } else if (symbol === '*') {
        const [, destination = ''] = /^\s*\\([a-z]+)/i.exec(source.slice(token.lastIndex, token.lastIndex + 40)) ?? [];
        if (!shownGroups.has(destination)) group.hidden = true;
      } else if (symbol) {
        if (skip > 0) skip--;
        else write(symbols.get(symbol) ?? '');
      }
    }
  }
  flush();
  if (isGuessed) {
    bounds.warn(
      'encoding_guessed',
      'The file does not say the encoding of some characters, or one that is unknown, and they were read as windows-1252: ' +
        'if letters are wrong, save it as DOCX and upload it again',
    );
  }
  if (groups.length > 0) {
    bounds.warn('parts_left_out', 'The file ends before its text does: save it again, then upload the new file');
  }
  return normalizeText(parts.join('').split('\n').map(trimCells).join('\n'));
}
