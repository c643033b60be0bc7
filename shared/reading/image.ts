import { imageSize } from 'image-size';
import { type Bounds, checkPixels, isTooSmall } from './limits.ts';
import type { Ocr } from './ocr.ts';
import type { Page } from './parse-file.ts';
import { recognizePage } from './recognize-page.ts';
import { listFrames } from './tiff.ts';
import { Unreadable } from './unreadable.ts';

/** Number of bytes at the start of a file that are searched for the image's size. Previews of some megabytes may precede it. */
const maxHeaderBytes = 16_000_000;

/** Returns the size and orientation of an image. */
function findSize(bytes: Uint8Array) {
  try {
    return imageSize(bytes.subarray(0, maxHeaderBytes));
  } catch (error) {
    if (bytes.length <= maxHeaderBytes) throw error;
    throw new Unreadable(
      'too_large',
      'The size of the image is not in its first 16 MB: open it and save it again without metadata, then upload the new file',
    );
  }
}

/** Returns the text in an image. Throws Unreadable without OCR. */
export async function parseImage(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  if (!ocr) throw new Unreadable('no_text');
  const { width, height, orientation = 1 } = findSize(bytes);
  checkPixels(width, height);
  if (isTooSmall(width, height)) return [{ number: null, text: '' }];
  return [{ number: null, ...(await recognizePage(bytes, orientation, bounds, ocr)) }];
}

/** Returns the text in the pages of a TIFF. Throws Unreadable without OCR. */
export async function parseTiff(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  if (!ocr) throw new Unreadable('no_text');
  const pages: Page[] = [];
  for (const frame of listFrames(bytes)) {
    const read = frame ? await recognizePage(frame.file, frame.orientation, bounds, ocr) : { text: '' };
    pages.push({ number: pages.length + 1, ...read });
    bounds.finishPage();
  }
  return pages;
}
