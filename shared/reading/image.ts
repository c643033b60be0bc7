import { imageSize } from 'image-size';
import { type Bounds, limits } from './bounds.ts';
import type { Ocr } from './ocr.ts';
import type { Page } from './read.ts';
import { tidy } from './text.ts';
import { framesOf } from './tiff.ts';
import { Unreadable } from './unreadable.ts';

/** Throws Unreadable for an image of more pixels than fit. */
export function checkPixels(width: number, height: number): void {
  if (width * height > limits.pixels) {
    throw new Unreadable('too_large', 'The image has more than 40 megapixels: make it smaller, then upload it again');
  }
}

/** Bytes at the start of a file in which an image says how large it is; profiles and previews may come before. */
const head = 4_000_000;

/** The text in an image, by OCR alone: without, `no_text`. Only a TIFF has pages. */
export async function readImage(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  if (!ocr) throw new Unreadable('no_text');
  const textOf = async (file: Uint8Array, orientation: number) =>
    bounds.take(tidy(await ocr(file, { orientation, onProgress: bounds.advance })));
  const { width, height, type, orientation = 1 } = imageSize(bytes.subarray(0, head));
  if (type !== 'tiff') {
    checkPixels(width, height);
    return [{ number: null, text: await textOf(bytes, orientation) }];
  }
  const pages: Page[] = [];
  for (const frame of framesOf(bytes)) {
    pages.push({ number: pages.length + 1, text: await textOf(frame.file, frame.orientation) });
  }
  return pages;
}
