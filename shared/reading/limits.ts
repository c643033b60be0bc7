import { Unreadable } from './unreadable.ts';
import type { Warning } from './warnings.ts';

const mega = 1_000_000;

/** Limits of a file. The messages in `unreadable.ts` repeat some of them. */
export const limits = {
  /** Size of the file. */
  fileBytes: 50 * mega,
  /** Pages of a PDF or TIFF. */
  pages: 5_000,
  /** Size of the extracted text, as UTF-8: three times that of the largest text file, in an encoding with one byte per letter. */
  textBytes: 30 * mega,
  /** Total size of the parts of a zip archive that are unzipped. */
  unpackedBytes: 100 * mega,
  /** Entries of a zip archive. */
  entries: 20_000,
  /** Total XML elements in a DOCX. Each takes about 2 KB of memory. A thousand pages have fewer. */
  elements: 500_000,
  /** Size of one PDF stream: an image with the maximum of pixels in four colours. */
  streamBytes: 160 * mega,
  /** Size of a file that is all text. Parsed values of JSON take many times that. */
  textFileBytes: 10 * mega,
  /** Pixels of one image. */
  pixels: 40 * mega,
  /** Width and height of an image, in pixels. Tesseract reads no larger ones. */
  side: 32_767,
  /** Least width and height of an image, in pixels. No letter fits in less, and Tesseract refuses some of them. */
  leastSide: 8,
  /** Levels of nesting. Old web pages leave many elements open. */
  depth: 2_000,
};

/** Throws Unreadable if texts have too many bytes together. */
export function checkTextBytes(bytes: number): void {
  if (bytes > limits.textBytes)
    throw new Unreadable('too_large', 'The file has more than 30 MB of text: split it, then upload its parts');
}

/** Throws Unreadable if an image has too many pixels. */
export function checkPixels(width: number, height: number): void {
  if (width * height > limits.pixels)
    throw new Unreadable('too_large', 'The image has more than 40 megapixels: make it smaller, then upload it again');
  if (Math.max(width, height) > limits.side)
    throw new Unreadable(
      'too_large',
      'The image is more than 32,767 pixels wide or high: cut it, then upload its parts',
    );
}

/** True if no letter fits in an image. */
export const isTooSmall = (width: number, height: number): boolean => Math.min(width, height) < limits.leastSide;

/** Returns the largest factor by which an image can be enlarged, to at most some pixels in all. Less than 1 if it has more. */
export const findLargestFactor = (width: number, height: number, maxPixels: number): number =>
  Math.min(Math.sqrt(maxPixels / (width * height)), limits.side / Math.max(width, height));

/**
 * CPU time of a file, in seconds: at least `least`, more for larger files up to `most`. A page has some kilobytes, but a small file
 * can repeat a slow one. OCR has its own limit, since it takes seconds per page.
 */
export const cpuLimits = {
  pages: { least: 15, bytesPerSecond: 50_000, most: 120 },
  ocr: { least: 15, bytesPerSecond: 5_000, most: 300 },
};

/** Limits, progress and warnings of one parse. `shared/parser` limits the time of each step, and the memory, from outside. */
export interface Bounds {
  /** Returns the text. Throws Unreadable once the total of all texts exceeds the limit. */
  limitText(text: string): string;
  /** Reports that a part of a page is done. */
  reportProgress(): void;
  /** Reports that a page is done. Throws Unreadable once all pages together took too long. */
  finishPage(): void;
  /** Runs OCR, which reports its progress. Throws Unreadable, before or while it runs, once the OCR of all pages took too long. */
  limitOcr<T>(run: (onProgress: () => void) => Promise<T>): Promise<T>;
  /** Adds a warning to the result. */
  warn(type: Warning['type'], msg: string): void;
  /** Warns of parts that were not read, such as `2 pictures`. Does nothing if there are none. */
  warnLeftOut(parts: string[]): void;
  /** Warnings so far. */
  readonly warnings: Warning[];
}

/** Returns the CPU time of this process, in seconds. */
function measureCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Creates the bounds of a file of this size. */
export function createBounds(advance: () => void, fileBytes: number, getCpuSeconds = measureCpuSeconds): Bounds {
  const startedAt = getCpuSeconds();
  let textBytes = 0;
  let ocrSeconds = 0;
  const warnings: Warning[] = [];
  const warn: Bounds['warn'] = (type, msg) => void warnings.push({ type, msg });
  const checkTime = (seconds: number, { least, bytesPerSecond, most }: typeof cpuLimits.pages) => {
    if (seconds > Math.min(most, least + fileBytes / bytesPerSecond)) throw new Unreadable('too_complex');
  };
  return {
    reportProgress: advance,
    finishPage() {
      advance();
      checkTime(getCpuSeconds() - startedAt - ocrSeconds, cpuLimits.pages);
    },
    async limitOcr(run) {
      checkTime(ocrSeconds, cpuLimits.ocr);
      let countedUntil = getCpuSeconds();
      const countTime = () => {
        const now = getCpuSeconds();
        ocrSeconds += now - countedUntil;
        countedUntil = now;
      };
      const result = await run(() => {
        advance();
        countTime();
        checkTime(ocrSeconds, cpuLimits.ocr);
      });
      countTime();
      return result;
    },
    limitText(text) {
      textBytes += Buffer.byteLength(text);
      checkTextBytes(textBytes);
      return text;
    },
    warn,
    warnLeftOut(parts) {
      const advice = 'write what they say into the document if it matters';
      if (parts.length > 0) warn('parts_left_out', `These parts were not read: ${parts.join(', ')}: ${advice}`);
    },
    warnings,
  };
}
