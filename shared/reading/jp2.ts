import { imageSize } from 'image-size';
import type { Bounds } from './limits.ts';
import { checkPixels } from './limits.ts';
import type { Ocr } from './ocr.ts';
import type { Page } from './parse-file.ts';
import { parsePdf } from './pdf.ts';
import { Unreadable } from './unreadable.ts';

/** Pixels per point of the page that holds the image. Its size in points is limited. */
const pixelsPerPoint = 4;

/** Returns a PDF whose only page is a JPEG 2000 image, which PDFs can hold as it is (ISO 32000-1, section 7.4.9). */
function wrapInPdf(image: Uint8Array, width: number, height: number): Uint8Array {
  const [w, h] = [width / pixelsPerPoint, height / pixelsPerPoint];
  const paint = `${w} 0 0 ${h} 0 0 cm /I Do`;
  const size = `/Width ${width} /Height ${height}`;
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${w} ${h}] /Contents 4 0 R /Resources <</XObject <</I 5 0 R>>>>>>`,
    `<</Length ${paint.length}>>\nstream\n${paint}\nendstream`,
    `<</Type /XObject /Subtype /Image ${size} /Filter /JPXDecode /Length ${image.length}>>\nstream\n`,
  ];
  let file = '%PDF-1.5\n';
  const offsets = objects.map((object, i) => {
    const at = file.length;
    file += `${i + 1} 0 obj\n${object}${i < objects.length - 1 ? '\nendobj\n' : ''}`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const end = '\nendstream\nendobj\n';
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<</Size ${objects.length + 1} /Root 1 0 R>>\n`;
  const tail = `${end}${table}${trailer}startxref\n${file.length + image.length + end.length}\n%%EOF`;
  return new Uint8Array(Buffer.concat([Buffer.from(file), image, Buffer.from(tail)]));
}

/** Returns the text in a JPEG 2000 image, as decoded by pdf.js. Throws Unreadable without OCR. */
export async function parseJp2(bytes: Uint8Array, bounds: Bounds, ocr: Ocr | undefined): Promise<Page[]> {
  if (!ocr) throw new Unreadable('no_text');
  const { width, height } = imageSize(bytes);
  checkPixels(width, height);
  const [page] = await parsePdf(wrapInPdf(bytes, width, height), bounds, ocr);
  if (!page) throw new Unreadable('damaged');
  return [{ ...page, number: null }];
}
