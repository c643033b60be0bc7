import { imageSize } from 'image-size';
import { type Bounds, checkPixels, isTooSmall } from './limits.ts';
import type { Ocr } from './ocr.ts';
import type { Page } from './parse-file.ts';
import { recognizePage } from './recognize-page.ts';
import { listFrames } from './tiff.ts';
import { Unreadable } from './unreadable.ts';

/** Number of bytes at the start of a file that are searched for the image's size. Previews of some megabytes may precede it. */
const maxHeaderBytes = 16_000_000;

/** Returns the size and orientation of an image; undefined for a TIFF, whose pages have their own, anywhere in the file. */
function findSize(bytes: Uint8Array) {
  if (['II*\0', 'MM\0*'].includes(Buffer.from(bytes.subarray(0, 4)).toString('latin1'))) return undefined;
  try {
    const { type, ...size } = imageSize(bytes.subarray(0, maxHeaderBytes));
    return type === 'tiff' ? undefined : size;
  } catch (error) {
    if (bytes.length <= maxHeaderBytes) throw error;
    throw new Unreadable(
      'too_large',
      'The size of the image is not in its first 16 MB: open it and save it again without metadata, then upload the new file',
    );
  }
}

/** Returns the text in an image. Throws Unreadable without OCR. Only a TIFF has pages. */
export async function parseImage(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  if (!ocr) throw new Unreadable('no_text');
  const recognize = (file: Uint8Array, orientation: number) => recognizePage(file, orientation, bounds, ocr);
  const size = findSize(bytes);
  if (size) {
    checkPixels(size.width, size.height);
    if (isTooSmall(size.width, size.height)) return [{ number: null, text: '' }];
    return [{ number: null, ...(await recognize(bytes, size.orientation ?? 1)) }];
  }
  const pages: Page[] = [];
  for (const frame of listFrames(bytes)) {
    const number = pages.length + 1;
    const read = frame ? await recognize(frame.file, frame.orientation) : { text: '' };
    pages.push({ number, ...read });
    bounds.finishPage();
  }
  return pages;
}
