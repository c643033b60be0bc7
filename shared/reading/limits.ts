import { Unreadable } from './unreadable.ts';

const mega = 1_000_000;

/** Limits of a file. The messages in `unreadable.ts` repeat some of them. */
export const limits = {
  /** Size of the file. */
  fileBytes: 50 * mega,
  /** Pages of a PDF or TIFF. */
  pages: 2_000,
  /** Size of the extracted text, as UTF-8. */
  textBytes: 10 * mega,
  /** Total size of the XML parts of a DOCX. */
  unpackedBytes: 100 * mega,
  /** Total XML elements in a DOCX. Each takes about 2 KB of memory. A thousand pages have fewer. */
  elements: 500_000,
  /** Size of one PDF stream: an image with the maximum of pixels in four colours. */
  streamBytes: 160 * mega,
  /** Size of a JSON file. Parsed values take many times that. */
  jsonBytes: 10 * mega,
  /** Pixels of one image. */
  pixels: 40 * mega,
  /** Levels of nesting. Old web pages leave many elements open. */
  depth: 2_000,
};

/** Limits and progress of one parse. `shared/parser` limits time and memory from outside. */
export interface Bounds {
  /** Returns the text. Throws Unreadable once the total of all texts exceeds the limit. */
  limitText(text: string): string;
  /** Reports that a page, or a part of one, is done. */
  reportProgress(): void;
}

export function createBounds(advance: () => void): Bounds {
  let left = limits.textBytes;
  return {
    reportProgress: advance,
    limitText(text) {
      left -= Buffer.byteLength(text);
      if (left < 0)
        throw new Unreadable('too_large', 'The file has more than 10 MB of text: split it, then upload its parts');
      return text;
    },
  };
}
