import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { type Bounds, limits } from './bounds.ts';
import { dataOf } from './data.ts';
import type { Ocr } from './ocr.ts';
import { pictureOf } from './pdf-picture.ts';
import { checkStreams } from './pdf-streams.ts';
import { pdfjs } from './pdfjs.ts';
import type { Page } from './read.ts';
import { ignoringRejections } from './rejections.ts';
import { tidy } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** Of `pdfjs-dist`: the codes of Chinese, Japanese and Korean characters, and decoders of images. */
const folders: Record<string, string> = { cMapUrl: 'cmaps/', wasmUrl: 'wasm/' };

/** How pdf.js asks for data that is not in the PDF. */
class Data {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    return dataOf('pdfjs-dist', folders[kind] ?? kind, filename);
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument } = await pdfjs();
  const task = getDocument({
    data: bytes.slice(), // pdf.js takes the buffer away from whoever had it
    BinaryDataFactory: Data,
    ...folders,
    useSystemFonts: true, // text needs no shapes
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    maxImageSize: limits.pixels,
    verbosity: 0,
  });
  try {
    return await task.promise;
  } catch (error) {
    await task.destroy();
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new Unreadable('encrypted', undefined, { cause: error });
    }
    throw error;
  }
}

/** Ligatures, and the shapes that Arabic letters take in a word: characters of their own, which nobody searches for. */
const shapes = /[\ufb00-\ufdff\ufe70-\ufefc]+/g;

/** The text of a page, line by line, Arabic and Hebrew in the order of reading. */
async function textOf(page: PDFPageProxy, bounds: Bounds): Promise<string> {
  const parts: string[] = [];
  for await (const { items } of page.streamTextContent()) {
    for (const item of items) {
      if ('str' in item) parts.push(bounds.take(item.hasEOL ? `${item.str}\n` : item.str));
    }
  }
  return tidy(parts.join('').replace(shapes, (shape) => shape.normalize('NFKC')));
}

/** Characters; a page that has fewer may be a scan with a stamp or a number of its own. */
const sparse = 100;

async function readPage(page: PDFPageProxy, bounds: Bounds, ocr: Ocr | undefined): Promise<string> {
  const text = await textOf(page, bounds);
  if (!ocr || text.length >= sparse) return text;
  const picture = await pictureOf(page);
  if (!picture) return text;
  const seen = tidy(await ocr(picture, { orientation: 1, onProgress: bounds.advance }));
  return [text, bounds.take(seen)].filter(Boolean).join('\n');
}

async function readPages(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  const document = await open(bytes);
  try {
    if (document.numPages > limits.pages) throw new Unreadable('too_many_pages');
    const pages: Page[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      pages.push({ number, text: await readPage(page, bounds, ocr) });
      page.cleanup();
      bounds.advance();
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}

/**
 * All pages of a PDF. With `ocr`, pages that are pictures are read by it; without, their text is empty, as that of
 * blank pages is.
 */
export async function readPdf(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  checkStreams(bytes);
  return ignoringRejections(() => readPages(bytes, bounds, ocr));
}
