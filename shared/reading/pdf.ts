import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { ignoreRejections } from './ignore-rejections.ts';
import { type Bounds, limits } from './limits.ts';
import type { Ocr } from './ocr.ts';
import { readPackageData } from './package-data.ts';
import type { Page } from './parse-file.ts';
import { readAnnotations, readXfa } from './pdf-forms.ts';
import { renderPageImages } from './pdf-images.ts';
import { layOutLines, type Styles, type TextItem } from './pdf-lines.ts';
import { checkStreams } from './pdf-streams.ts';
import { loadPdfjs } from './pdfjs.ts';
import { recognizePage } from './recognize-page.ts';
import { normalizeText } from './text.ts';
import { Unreadable } from './unreadable.ts';

/** Data folders of `pdfjs-dist`: character codes of Chinese, Japanese and Korean, and image decoders. */
const dataFolders: Record<string, string> = { cMapUrl: 'cmaps/', wasmUrl: 'wasm/' };

/** Factory that pdf.js uses to load data that is not in the PDF. */
class PackageDataFactory {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    return readPackageData('pdfjs-dist', dataFolders[kind] ?? kind, filename);
  }
}

async function openDocument(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  const { getDocument } = await loadPdfjs();
  const task = getDocument({
    data: bytes.slice(), // pdf.js detaches the buffer that it is given
    BinaryDataFactory: PackageDataFactory,
    ...dataFolders,
    useSystemFonts: true, // extracting text needs no glyphs
    disableFontFace: true,
    enableXfa: true,
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
    // pdf.js has no class for it.
    if (error instanceof Error && error.message.includes('unknown encryption method')) {
      throw new Unreadable('encrypted', 'The file is protected: save it without protection, then upload it again');
    }
    throw error;
  }
}

/** Ligatures and contextual forms of Arabic letters: separate characters that nobody types in a search. */
const presentationForms = /[\ufb00-\ufdff\ufe70-\ufefc]{1,1000}/g;

/** Returns the text of a page line by line, with Arabic and Hebrew in reading order, then that of its notes and form fields. */
async function readText(page: PDFPageProxy, { limitText }: Bounds): Promise<string> {
  const items: TextItem[] = [];
  const styles: Styles = {};
  // Nothing may leave this loop early: pdf.js would wait for itself forever.
  for await (const chunk of page.streamTextContent()) {
    Object.assign(styles, chunk.styles);
    for (const item of chunk.items) if ('str' in item) items.push(item);
  }
  const form = (await readXfa(page)) ?? (await readAnnotations(page)).join('\n');
  const text = [layOutLines(items, styles), form].filter(Boolean).join('\n\n');
  return normalizeText(limitText(text.replace(presentationForms, (shapes) => shapes.normalize('NFKC'))));
}

/** Minimum of characters on a page that is not passed to OCR. A page with fewer may be a scan with a stamp or page number. */
const sparsePageCharacters = 100;

async function parsePage(page: PDFPageProxy, bounds: Bounds, ocr: Ocr | undefined): Promise<Omit<Page, 'number'>> {
  const text = await readText(page, bounds);
  if (!ocr || text.length >= sparsePageCharacters) return { text };
  const picture = await renderPageImages(page);
  if (!picture) return { text };
  const recognized = await recognizePage(picture, 1, bounds, ocr);
  return { ...recognized, text: [text, recognized.text].filter(Boolean).join('\n') };
}

async function parsePages(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  const document = await openDocument(bytes);
  try {
    if (document.numPages > limits.pages) throw new Unreadable('too_many_pages');
    const pages: Page[] = [];
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number);
      pages.push({ number, ...(await parsePage(page, bounds, ocr)) });
      page.cleanup();
      bounds.finishPage();
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}

/** Returns all pages of a PDF. Scanned pages need `ocr`; without it, their text is empty. */
export async function parsePdf(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  checkStreams(bytes);
  return ignoreRejections(() => parsePages(bytes, bounds, ocr));
}
