import { decodeCertain } from './encoding.ts';
import { parseJson } from './json.ts';
import type { Kind } from './kind.ts';
import { type Bounds, checkTextBytes, createBounds, limits } from './limits.ts';
import { isPlainText, type KindName } from './media-types.ts';
import type { Ocr } from './ocr.ts';
import { normalizeText } from './text.ts';
import { OcrFailed, Unreadable } from './unreadable.ts';
import type { Warning } from './warnings.ts';

export interface Page {
  /** Page number from 1; null if the format has no pages. */
  number: number | null;
  /** Text of the page. Empty for a blank page, and for a scanned one without OCR. */
  text: string;
  /** True if OCR is not sure of the text. */
  isUncertain?: boolean;
}

/** A file that was read: its pages, and what its owner should know about them. */
export interface ParsedFile {
  pages: Page[];
  warnings: Warning[];
}

export interface ParseOptions {
  /** OCR for images and scanned pages, from `createOcr` of `ocr.ts`. Without it, they have no text. */
  ocr?: Ocr | undefined;
  /** Called after each page, and several times during a slow page. */
  onProgress?: (() => void) | undefined;
}

type FileParser = (bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined) => Promise<Page[]>;

/** Creates a parser for a format without pages. */
const createUnpagedParser =
  (toText: (bytes: Uint8Array, bounds: Bounds) => string | Promise<string>): FileParser =>
  async (bytes, bounds) => [{ number: null, text: await toText(bytes, bounds) }];

/** Decodes text, and warns if its encoding is a guess. Throws Unreadable if it has none that is known. */
async function decodeText(bytes: Uint8Array, bounds: Bounds): Promise<string> {
  const certain = decodeCertain(bytes);
  if (certain !== undefined) return certain;
  const { guessText } = await import('./guess-encoding.ts');
  const guessed = guessText(bytes);
  if (!guessed) throw new Unreadable('unknown_encoding');
  const { text, encoding, damaged } = guessed;
  const advice = 'if letters are wrong, save it as UTF-8 and upload it again';
  if (damaged === 0) {
    bounds.warn('encoding_guessed', `The file does not say its encoding and was read as ${encoding}: ${advice}`);
  } else {
    const count = damaged === 1 ? '1 character is' : `${damaged} characters are`;
    bounds.warn('characters_damaged', `The file was read as ${encoding}, in which ${count} damaged: ${advice}`);
  }
  return text;
}

/** Creates a parser for a text format in any encoding. */
const createTextParser = (toText: (text: string, bounds: Bounds) => string): FileParser =>
  createUnpagedParser(async (bytes, bounds) => toText(await decodeText(bytes, bounds), bounds));

const parsePlainText = createTextParser((text, bounds) => bounds.limitText(normalizeText(text)));

const loadImageParser = async () => (await import('./image.ts')).parseImage;

/** Loaders of the parsers with their libraries, by kind. Loaded lazily: each process parses one document, and most are text. */
const parserLoaders: Record<KindName, () => Promise<FileParser>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => createUnpagedParser((await import('./docx.ts')).parseDocx),
  pptx: async () => (await import('./pptx.ts')).parsePptx,
  xlsx: async () => createUnpagedParser((await import('./xlsx.ts')).parseXlsx),
  odt: async () => createUnpagedParser((await import('./odf.ts')).parseOdt),
  ods: async () => createUnpagedParser((await import('./odf.ts')).parseOds),
  odp: async () => (await import('./odf.ts')).parseOdp,
  rtf: async () => createUnpagedParser((await import('./rtf.ts')).parseRtf),
  epub: async () => createUnpagedParser((await import('./epub.ts')).parseEpub),
  eml: async () => createUnpagedParser((await import('./eml.ts')).parseEml),
  txt: async () => parsePlainText,
  markdown: async () => parsePlainText,
  html: async () => createTextParser((await import('./html.ts')).parseHtml),
  csv: async () => createTextParser((await import('./csv.ts')).parseCsv),
  json: async () => createTextParser(parseJson),
  png: loadImageParser,
  jpeg: loadImageParser,
  webp: loadImageParser,
  tiff: async () => (await import('./image.ts')).parseTiff,
  gif: loadImageParser,
  bmp: loadImageParser,
  jp2: async () => (await import('./jp2.ts')).parseJp2,
};

/** Returns true if a library recursed too deeply. pdf.js passes on no more of such an error than its message. */
const isStackOverflow = (error: unknown) =>
  error instanceof Error && error.message === 'Maximum call stack size exceeded';

/** Returns true if a library joined more text than V8 can hold, 2^29 characters. */
const isTextTooLong = (error: unknown) => error instanceof Error && error.message === 'Invalid string length';

const maxListedPages = 10;

/** Formats some pages of a file, such as `2 of 9 pages: 3, 7`. */
function formatPages(pages: Page[], total: number): string {
  const listed = pages.slice(0, maxListedPages).map(({ number }) => number);
  const more = pages.length - listed.length;
  return `${pages.length} of ${total} pages: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Warns of damaged characters, of pages without text, and of pages with uncertain OCR. */
function checkPages(pages: Page[], { warn, warnings }: Bounds): void {
  const damaged = pages.reduce((sum, { text }) => sum + (text.match(/\ufffd/g)?.length ?? 0), 0);
  if (damaged > 0 && !warnings.some(({ type }) => type === 'characters_damaged')) {
    const advice = 'if words are wrong, save it in another format and upload it again';
    warn('characters_damaged', `${damaged} of the characters of the file could not be read: ${advice}`);
  }
  const empty = pages.filter(({ text }) => text.trim() === '');
  if (empty.length > 0) warn('pages_without_text', `No text was found on ${formatPages(empty, pages.length)}`);
  const uncertain = pages.filter(({ isUncertain }) => isUncertain);
  if (uncertain.length > 0) {
    const where = pages.length > 1 ? ` on ${formatPages(uncertain, pages.length)}` : '';
    warn(
      'ocr_uncertain',
      `The text${where} was hard to recognize and may be wrong: upload text, or a sharper picture, or name its languages`,
    );
  }
}

/** Returns the text of a file page by page. At least one page has text. Throws nothing but Unreadable, for any bytes, and OcrFailed. */
export async function parseFile(
  bytes: Uint8Array,
  kind: Kind,
  { ocr, onProgress = () => {} }: ParseOptions = {},
): Promise<ParsedFile> {
  if (bytes.length === 0) throw new Unreadable('empty');
  if (bytes.length > limits.fileBytes)
    throw new Unreadable('too_large', 'A file may have at most 50 MB: split it, then upload its parts');
  if (isPlainText(kind.name) && bytes.length > limits.textFileBytes)
    throw new Unreadable('too_large', 'A file of text may have at most 10 MB: split it, then upload its parts');
  const parser = await parserLoaders[kind.name]();
  const bounds = createBounds(onProgress, bytes.length);
  let pages: Page[];
  try {
    pages = await parser(bytes, bounds, ocr);
    // A parser that repeats a text has counted it once.
    checkTextBytes(pages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
  } catch (error) {
    if (error instanceof Unreadable || error instanceof OcrFailed) throw error;
    if (isStackOverflow(error)) {
      throw new Unreadable('too_deep', 'The file is nested too deeply: flatten it, then upload it again', {
        cause: error,
      });
    }
    if (isTextTooLong(error)) throw new Unreadable('too_large', undefined, { cause: error });
    // Libraries throw all kinds of errors: their own bugs look the same as a damaged file.
    throw new Unreadable('damaged', undefined, { cause: error });
  }
  if (!pages.some(({ text }) => text.trim() !== '')) throw new Unreadable('no_text');
  checkPages(pages, bounds);
  return { pages, warnings: bounds.warnings };
}
