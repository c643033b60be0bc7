import { type Bounds, createBounds, limits } from './bounds.ts';
import { decodeText } from './encoding.ts';
import { textOfJson } from './json.ts';
import type { Kind } from './kind.ts';
import type { KindName } from './media-types.ts';
import type { Ocr } from './ocr.ts';
import { tidy } from './text.ts';
import { Unreadable } from './unreadable.ts';

export interface Page {
  /** From 1; null where a kind has none. */
  number: number | null;
  /** Empty where a page of a PDF is blank, or a picture and there is no OCR. */
  text: string;
}

export interface Reading {
  /** What reads pictures and scanned pages, `ocr` of `ocr.ts`. Without it they have no text. */
  ocr?: Ocr | undefined;
  /** Called after each page, and each part of a page that takes long. */
  onProgress?: (() => void) | undefined;
}

type Reader = (bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined) => Promise<Page[]>;

/** A reader of a kind that has no pages. */
const whole =
  (textOf: (bytes: Uint8Array, bounds: Bounds) => string | Promise<string>): Reader =>
  async (bytes, bounds) => [{ number: null, text: await textOf(bytes, bounds) }];

/** A reader of a kind of text, in whatever encoding. */
const decoded = (textOf: (text: string, bounds: Bounds) => string): Reader =>
  whole((bytes, bounds) => {
    const text = decodeText(bytes);
    if (text === undefined) throw new Unreadable('damaged');
    return textOf(text, bounds);
  });

const plain = decoded((text, bounds) => bounds.take(tidy(text)));

const image = async () => (await import('./image.ts')).readImage;

/** Loads the reader of a kind, with its library: a process reads one document, and most are text. */
const readers: Record<KindName, () => Promise<Reader>> = {
  pdf: async () => (await import('./pdf.ts')).readPdf,
  docx: async () => whole((await import('./docx.ts')).textOfDocx),
  txt: async () => plain,
  markdown: async () => plain,
  html: async () => decoded((await import('./html.ts')).textOfHtml),
  csv: async () => decoded((await import('./csv.ts')).textOfCsv),
  json: async () => decoded(textOfJson),
  png: image,
  jpeg: image,
  webp: image,
  tiff: image,
};

/**
 * The text of a file, page by page. At least one page has text. Throws Unreadable and nothing else, whatever the bytes
 * are: they may be no file of this kind at all.
 */
export async function read(
  bytes: Uint8Array,
  kind: Kind,
  { ocr, onProgress = () => {} }: Reading = {},
): Promise<Page[]> {
  if (bytes.length === 0) throw new Unreadable('empty');
  if (bytes.length > limits.file)
    throw new Unreadable('too_large', 'A file may have at most 50 MB: split it, then upload its parts');
  const reader = await readers[kind.name]();
  let pages: Page[];
  try {
    pages = await reader(bytes, createBounds(onProgress), ocr);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The libraries throw whatever they like, so that a fault of theirs cannot be told from one of the file.
    throw new Unreadable('damaged', undefined, { cause: error });
  }
  if (!pages.some(({ text }) => text.trim() !== '')) throw new Unreadable('no_text');
  return pages;
}
