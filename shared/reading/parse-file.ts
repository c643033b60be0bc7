import { decodeText } from './encoding.ts';
import { parseJson } from './json.ts';
import type { Kind } from './kind.ts';
import { type Bounds, createBounds, limits } from './limits.ts';
import type { KindName } from './media-types.ts';
import type { Ocr } from './ocr.ts';
import { normalizeText } from './text.ts';
import { Unreadable } from './unreadable.ts';

export interface Page {
  /** Page number from 1; null if the format has no pages. */
  number: number | null;
  /** Text of the page. Empty for a blank page, and for a scanned one without OCR. */
  text: string;
}

export interface ParseOptions {
  /** OCR for images and scanned pages, `recognizeText` of `ocr.ts`. Without it, they have no text. */
  ocr?: Ocr | undefined;
  /** Called after each page, and several times during a slow page. */
  onProgress?: (() => void) | undefined;
}

type FileParser = (bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined) => Promise<Page[]>;

/** Creates a parser for a format without pages. */
const createUnpagedParser =
  (toText: (bytes: Uint8Array, bounds: Bounds) => string | Promise<string>): FileParser =>
  async (bytes, bounds) => [{ number: null, text: await toText(bytes, bounds) }];

/** Creates a parser for a text format in any encoding. */
const createTextParser = (toText: (text: string, bounds: Bounds) => string): FileParser =>
  createUnpagedParser((bytes, bounds) => {
    const text = decodeText(bytes);
    if (text === undefined) throw new Unreadable('damaged');
    return toText(text, bounds);
  });

const parsePlainText = createTextParser((text, bounds) => bounds.limitText(normalizeText(text)));

const loadImageParser = async () => (await import('./image.ts')).parseImage;

/** Loaders of the parsers with their libraries, by kind. Loaded lazily: each process parses one document, and most are text. */
const parserLoaders: Record<KindName, () => Promise<FileParser>> = {
  pdf: async () => (await import('./pdf.ts')).parsePdf,
  docx: async () => createUnpagedParser((await import('./docx.ts')).parseDocx),
  txt: async () => parsePlainText,
  markdown: async () => parsePlainText,
  html: async () => createTextParser((await import('./html.ts')).parseHtml),
  csv: async () => createTextParser((await import('./csv.ts')).parseCsv),
  json: async () => createTextParser(parseJson),
  png: loadImageParser,
  jpeg: loadImageParser,
  webp: loadImageParser,
  tiff: loadImageParser,
};

/** Returns true if a library recursed too deeply. V8 throws errors of the same class for other reasons, too. */
const isStackOverflow = (error: unknown) => error instanceof RangeError && error.message.includes('call stack');

/** Returns the text of a file page by page. At least one page has text. Throws nothing but Unreadable, for any bytes. */
export async function parseFile(
  bytes: Uint8Array,
  kind: Kind,
  { ocr, onProgress = () => {} }: ParseOptions = {},
): Promise<Page[]> {
  if (bytes.length === 0) throw new Unreadable('empty');
  if (bytes.length > limits.fileBytes)
    throw new Unreadable('too_large', 'A file may have at most 50 MB: split it, then upload its parts');
  const parser = await parserLoaders[kind.name]();
  let pages: Page[];
  try {
    pages = await parser(bytes, createBounds(onProgress, bytes.length), ocr);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    if (isStackOverflow(error)) {
      throw new Unreadable('too_deep', 'The file is nested too deeply: flatten it, then upload it again', {
        cause: error,
      });
    }
    // Libraries throw all kinds of errors: their own bugs look the same as a damaged file.
    throw new Unreadable('damaged', undefined, { cause: error });
  }
  if (!pages.some(({ text }) => text.trim() !== '')) throw new Unreadable('no_text');
  return pages;
}
