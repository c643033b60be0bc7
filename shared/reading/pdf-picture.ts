import type { PDFPageProxy } from 'pdfjs-dist';
import { pdfjs } from './pdfjs.ts';
import { type Grey, greyOf, toPgm } from './picture.ts';

/** A transformation of the plane, as PDF writes it: x' = ax + cy + e, y' = bx + dy + f. */
type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

/** First `inner`, then `outer`. */
const then = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  A * a + C * b,
  B * a + D * b,
  A * c + C * d,
  B * c + D * d,
  A * e + C * f + E,
  B * e + D * f + F,
];

/** What one point of an image is made of, as pdf.js numbers it (its `ImageKind`); others have three bytes each for red, green and blue. */
const kinds = { bit: 1, rgba: 3 };

/** An image as pdf.js decodes it. A mask paints black where its bits are 0, and has no kind. */
interface Decoded {
  width: number;
  height: number;
  kind?: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** An image, and where on the page its square of 1 by 1 stands. */
interface Placed {
  image: Decoded;
  matrix: Matrix;
}

const isDecoded = (value: unknown): value is Decoded =>
  typeof value === 'object' && value !== null && 'width' in value && 'data' in value && ArrayBuffer.isView(value.data);

/** An image of a page by its name; null where pdf.js could not decode it. */
const named = (page: PDFPageProxy, name: string) =>
  new Promise<unknown>((resolve) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve));

/** All images that a page paints, in that order. Tiny patterns and images in fonts are not among them. */
async function imagesOf(page: PDFPageProxy, base: Matrix): Promise<Placed[]> {
  const { OPS } = await pdfjs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const images: Placed[] = [];
  const saved: Matrix[] = [];
  let matrix = base;
  for (const [i, operator] of fnArray.entries()) {
    const args: unknown[] = argsArray[i] ?? [];
    if (operator === OPS.save) saved.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? base;
    else if (operator === OPS.transform) matrix = then(args as Matrix, matrix);
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      if (args[0]) matrix = then(Array.from(args[0] as ArrayLike<number>) as Matrix, matrix);
    } else if (
      operator === OPS.paintImageXObject ||
      operator === OPS.paintInlineImageXObject ||
      operator === OPS.paintImageMaskXObject
    ) {
      const [found] = args;
      const image = typeof found === 'string' ? await named(page, found) : await masked(page, found);
      if (isDecoded(image)) images.push({ image, matrix });
    }
  }
  return images;
}

/** A mask may name its bits instead of having them. */
async function masked(page: PDFPageProxy, found: unknown): Promise<unknown> {
  if (typeof found !== 'object' || found === null || !('data' in found) || typeof found.data !== 'string') return found;
  const bits = await named(page, found.data);
  return isDecoded(bits) ? { ...found, data: bits.data } : { ...found, data: bits };
}

/** The shade at a pixel of an image; undefined where it paints nothing. */
function shade({ width, kind, data }: Decoded, column: number, row: number): number | undefined {
  const bit = () => ((data[row * ((width + 7) >> 3) + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
  const at = (row * width + column) * (kind === kinds.rgba ? 4 : 3);
  if (kind === undefined) return bit() === 0 ? 0 : undefined;
  if (kind === kinds.bit) return bit() * 255;
  if (kind === kinds.rgba && (data[at + 3] ?? 0) < 128) return undefined;
  return greyOf(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
}

/** Points of an image looked at for one point of the page, each way, so that thin lines of a fine scan are not lost. */
const samples = 2;

/** Paints an image on the page: for each of the page's points, what stands there in the image. */
function paint(page: Grey, { image, matrix }: Placed): void {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  if (!Number.isFinite(determinant) || determinant === 0) return;
  const from = (start: number, ...sides: number[]) =>
    Math.max(0, Math.floor(start + sides.reduce((sum, side) => sum + Math.min(0, side), 0)));
  const to = (end: number, start: number, ...sides: number[]) =>
    Math.min(end, Math.ceil(start + sides.reduce((sum, side) => sum + Math.max(0, side), 0)));
  const [left, right] = [from(e, a, c), to(page.width, e, a, c)];
  for (let y = from(f, b, d); y < to(page.height, f, b, d); y++) {
    for (let x = left; x < right; x++) {
      let sum = 0;
      let count = 0;
      for (let sample = 0; sample < samples * samples; sample++) {
        const dx = x + ((sample % samples) + 0.5) / samples - e;
        const dy = y + (Math.floor(sample / samples) + 0.5) / samples - f;
        const u = (d * dx - c * dy) / determinant;
        const v = (a * dy - b * dx) / determinant;
        if (u < 0 || u >= 1 || v <= 0 || v > 1) continue;
        const found = shade(image, Math.floor(u * image.width), Math.floor((1 - v) * image.height));
        sum += found ?? page.pixels[y * page.width + x] ?? 255;
        count++;
      }
      if (count > 0) page.pixels[y * page.width + x] = sum / count;
    }
  }
}

/** Points of a page that is painted: A4 at 300 dots an inch has 8.7 million. */
const most = 12_000_000;

const areaOf = ([a, b, c, d]: Matrix) => Math.abs(a * d - b * c);

/**
 * What a page shows besides its text, its images, as a file for OCR; undefined where they cover less than a quarter of
 * it. It is as fine as its largest image is. Drawings are left out: there is no canvas here to draw on.
 */
export async function pictureOf(page: PDFPageProxy): Promise<Uint8Array | undefined> {
  const view = page.getViewport({ scale: 1 });
  const images = await imagesOf(page, view.transform as Matrix);
  const area = view.width * view.height;
  const [largest] = images.toSorted((one, other) => areaOf(other.matrix) - areaOf(one.matrix));
  if (!largest || !(images.reduce((sum, { matrix }) => sum + areaOf(matrix), 0) > area / 4)) return undefined;
  const fine = Math.sqrt((largest.image.width * largest.image.height) / areaOf(largest.matrix));
  const scale = Math.min(fine, Math.sqrt(most / area));
  const width = Math.ceil(view.width * scale);
  const height = Math.ceil(view.height * scale);
  if (!(width > 0 && height > 0 && width * height < 2 * most)) return undefined;
  const grey = { width, height, pixels: new Uint8Array(width * height).fill(255) };
  for (const { image, matrix } of images) paint(grey, { image, matrix: then(matrix, [scale, 0, 0, scale, 0, 0]) });
  return toPgm(grey);
}
