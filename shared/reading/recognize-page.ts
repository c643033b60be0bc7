import type { Bounds } from './limits.ts';
import type { Ocr } from './ocr.ts';
import type { Page } from './parse-file.ts';
import { normalizeText } from './text.ts';

/** Confidence of OCR, in percent, below which its text is uncertain. */
export const sufficientConfidence = 70;

/** Recognizes the text in an image, within the bounds of its file. */
export async function recognizePage(
  image: Uint8Array,
  orientation: number,
  bounds: Bounds,
  ocr: Ocr,
): Promise<Omit<Page, 'number'>> {
  const recognize = (onProgress: () => void) => ocr(image, { orientation, onProgress });
  const { text, confidence } = await bounds.limitOcr(recognize);
  const page = { text: bounds.limitText(normalizeText(text)) };
  return page.text && confidence < sufficientConfidence ? { ...page, isUncertain: true } : page;
}
