import { Unreadable } from './unreadable.ts';

const mega = 1_000_000;

/** What a file may hold. The sentences of `unreadable.ts` name some of these. */
export const limits = {
  /** Bytes of the file itself. */
  file: 50 * mega,
  /** Pages of a PDF or TIFF. */
  pages: 2_000,
  /** Bytes of the text found, as UTF-8. */
  text: 10 * mega,
  /** Bytes of the XML in a DOCX, all parts together. */
  unpacked: 100 * mega,
  /** Elements in the XML of a DOCX, all parts together: each takes some 2 KB of memory. A thousand pages have fewer. */
  elements: 500_000,
  /** Bytes of one stream of a PDF: an image of the most pixels, in four colours. */
  stream: 160 * mega,
  /** Bytes of a JSON file: what is parsed takes many times that. */
  json: 10 * mega,
  /** Pixels of one image. */
  pixels: 40 * mega,
  /** Levels of nesting; old pages leave many elements open. */
  depth: 2_000,
};

/** Bounds one reading. Time and memory are bounded from outside, by `shared/parser`. */
export interface Bounds {
  /** Returns the text. Throws Unreadable when all text taken so far is more than fits. */
  take(text: string): string;
  /** Reports progress: a page, or a part of one, is done. */
  advance(): void;
}

export function createBounds(advance: () => void): Bounds {
  let left = limits.text;
  return {
    advance,
    take(text) {
      left -= Buffer.byteLength(text);
      if (left < 0)
        throw new Unreadable('too_large', 'The file has more than 10 MB of text: split it, then upload its parts');
      return text;
    },
  };
}
