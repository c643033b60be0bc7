import type { PDFPageProxy } from 'pdfjs-dist';
import { type GreyImage, toGrey, toPgm } from './grey-image.ts';
import { findLargestFactor, isTooSmall, limits } from './limits.ts';
import { loadPdfjs } from './pdfjs.ts';

/** Affine transformation, as in PDF: x' = ax + cy + e, y' = bx + dy + f. */
type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number];

/** Returns the transformation that applies the first matrix, then the second. */
const multiply = ([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix => [
  A * a + C * b,
  B * a + D * b,
  A * c + C * d,
  B * c + D * d,
  A * e + C * f + E,
  B * e + D * f + F,
];

/** Returns the area of the unit square that a matrix transforms. */
const getArea = ([a, b, c, d]: Matrix) => Math.abs(a * d - b * c);

/** Pixel formats of pdf.js (its `ImageKind`). Any other has one byte each for red, green and blue. */
const imageKinds = { bit: 1, rgba: 3 };

/** Image as decoded by pdf.js. A mask has no kind; its 0 bits paint black. */
interface DecodedImage {
  width: number;
  height: number;
  kind?: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** Image with the matrix that maps its unit square onto the page. */
interface PlacedImage {
  image: DecodedImage;
  matrix: Matrix;
}

const isDecoded = (value: unknown): value is DecodedImage =>
  typeof value === 'object' && value !== null && 'width' in value && 'data' in value && ArrayBuffer.isView(value.data);

/** Returns an image of a page by its name; null if pdf.js could not decode it. */
const getPageObject = (page: PDFPageProxy, name: string) =>
  new Promise<unknown>((resolve) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, resolve));

/** Returns true if a matrix maps an image onto some area. */
const isVisible = (matrix: Matrix) => matrix.every(Number.isFinite) && getArea(matrix) > 0;

/** Returns all images of a page in painting order, except tiny patterns and images in fonts. */
async function listImages(page: PDFPageProxy, base: Matrix): Promise<PlacedImage[]> {
  const { OPS } = await loadPdfjs();
  const { fnArray, argsArray } = await page.getOperatorList();
  const images: PlacedImage[] = [];
  const saved: Matrix[] = [];
  let matrix = base;
  for (const [i, operator] of fnArray.entries()) {
    const args: unknown[] = argsArray[i] ?? [];
    if (operator === OPS.save) saved.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? base;
    else if (operator === OPS.transform) matrix = multiply(args as Matrix, matrix);
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix);
      if (args[0]) matrix = multiply(Array.from(args[0] as ArrayLike<number>) as Matrix, matrix);
    } else if (
      operator === OPS.paintImageXObject ||
      operator === OPS.paintInlineImageXObject ||
      operator === OPS.paintImageMaskXObject
    ) {
      const [found] = args;
      const image = typeof found === 'string' ? await getPageObject(page, found) : await resolveMask(page, found);
      if (isDecoded(image) && isVisible(matrix)) images.push({ image, matrix });
    }
  }
  return images;
}

/** Loads the bits of a mask that refers to them by name. */
async function resolveMask(page: PDFPageProxy, found: unknown): Promise<unknown> {
  if (typeof found !== 'object' || found === null || !('data' in found) || typeof found.data !== 'string') return found;
  const bits = await getPageObject(page, found.data);
  return isDecoded(bits) ? { ...found, data: bits.data } : { ...found, data: bits };
}

/** Returns the shade of grey of a pixel; undefined if it is transparent. */
function getShade({ width, kind, data }: DecodedImage, column: number, row: number): number | undefined {
  const bit = () => ((data[row * ((width + 7) >> 3) + (column >> 3)] ?? 0) >> (7 - (column & 7))) & 1;
  const at = (row * width + column) * (kind === imageKinds.rgba ? 4 : 3);
  if (kind === undefined) return bit() === 0 ? 0 : undefined;
  if (kind === imageKinds.bit) return bit() * 255;
  if (kind === imageKinds.rgba && (data[at + 3] ?? 0) < 128) return undefined;
  return toGrey(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
}

/** Image pixels sampled per page pixel, in each direction. More than one, so that thin lines of a fine scan are not lost. */
const samplesPerAxis = 2;

/** Part of a page, in pixels. Its end is not part of it. */
interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the part of a page that an image is in. */
function getBox({ width, height }: Pick<GreyImage, 'width' | 'height'>, [a, b, c, d, e, f]: Matrix): Box {
  const clampStart = (start: number, ...sides: number[]) =>
    Math.max(0, Math.floor(start + sides.reduce((sum, side) => sum + Math.min(0, side), 0)));
  const clampEnd = (end: number, start: number, ...sides: number[]) =>
    Math.min(end, Math.ceil(start + sides.reduce((sum, side) => sum + Math.max(0, side), 0)));
  return {
    left: clampStart(e, a, c),
    right: clampEnd(width, e, a, c),
    top: clampStart(f, b, d),
    bottom: clampEnd(height, f, b, d),
  };
}

/** Paints an image onto a box of the page, pixel by pixel. */
function paint(page: GreyImage, { image, matrix }: PlacedImage, { left, right, top, bottom }: Box): void {
  const [a, b, c, d, e, f] = matrix;
  const determinant = a * d - b * c;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      let sum = 0;
      let count = 0;
      for (let sample = 0; sample < samplesPerAxis * samplesPerAxis; sample++) {
        const dx = x + ((sample % samplesPerAxis) + 0.5) / samplesPerAxis - e;
        const dy = y + (Math.floor(sample / samplesPerAxis) + 0.5) / samplesPerAxis - f;
        const u = (d * dx - c * dy) / determinant;
        const v = (a * dy - b * dx) / determinant;
        if (u < 0 || u >= 1 || v <= 0 || v > 1) continue;
        const found = getShade(image, Math.floor(u * image.width), Math.floor((1 - v) * image.height));
        sum += found ?? page.pixels[y * page.width + x] ?? 255;
        count++;
      }
      if (count > 0) page.pixels[y * page.width + x] = sum / count;
    }
  }
}

/** Limit of the pixels of a rendered page. A4 at 300 dpi has 8.7 million. */
const maxPixels = 12_000_000;

/** Limit of the times that images may cover a page. Scans have at most three layers. */
const maxLayers = 10;

/**
 * Renders the images of a page, without text and drawings, to a file for OCR. Uses the resolution of the largest image. Returns
 * undefined if the images cover less than a quarter of the page, or have too few pixels for letters. Leaves out images above ten
 * layers. Drawings would need a canvas.
 */
export async function renderPageImages(page: PDFPageProxy): Promise<Uint8Array | undefined> {
  const view = page.getViewport({ scale: 1 });
  const images = await listImages(page, view.transform as Matrix);
  const area = view.width * view.height;
  const [largest] = images.toSorted((one, other) => getArea(other.matrix) - getArea(one.matrix));
  if (!largest || !(images.reduce((sum, { matrix }) => sum + getArea(matrix), 0) > area / 4)) return undefined;
  const resolution = Math.sqrt((largest.image.width * largest.image.height) / getArea(largest.matrix));
  const scale = Math.min(resolution, findLargestFactor(view.width, view.height, maxPixels));
  const width = Math.min(limits.side, Math.ceil(view.width * scale));
  const height = Math.min(limits.side, Math.ceil(view.height * scale));
  if (isTooSmall(width, height) || !(width * height < 2 * maxPixels)) return undefined;
  const grey = { width, height, pixels: new Uint8Array(width * height).fill(255) };
  let left = maxLayers * width * height;
  for (const { image, matrix } of images) {
    const scaled = multiply(matrix, [scale, 0, 0, scale, 0, 0]);
    const box = getBox(grey, scaled);
    left -= Math.max(0, box.right - box.left) * Math.max(0, box.bottom - box.top);
    if (left < 0) break;
    paint(grey, { image, matrix: scaled }, box);
  }
  return toPgm(grey);
}
