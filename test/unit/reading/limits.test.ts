import { describe, expect, test } from 'vitest';
import { createBounds, limits } from '../../../shared/reading/limits.ts';
import { parsePdf } from '../../../shared/reading/pdf.ts';
import { catchReason } from '../../support/documents.ts';
import { buildPdf } from '../../support/pdf.ts';

/** Creates bounds with a CPU time that the test sets. */
function createTimedBounds(fileBytes: number) {
  const clock = { seconds: 100 };
  return {
    clock,
    bounds: createBounds(
      () => {},
      fileBytes,
      () => clock.seconds,
    ),
  };
}

/** Returns how many pages of a file finish, if each takes some seconds. */
function countPages(fileBytes: number, secondsPerPage: number): number {
  const { clock, bounds } = createTimedBounds(fileBytes);
  for (let pages = 0; pages < limits.pages; pages++) {
    clock.seconds += secondsPerPage;
    try {
      bounds.finishPage();
    } catch {
      return pages;
    }
  }
  return limits.pages;
}

describe('the CPU time of all pages', () => {
  test('grows with the size of the file, up to two minutes', () => {
    expect(countPages(80_000, 1)).toBe(16);
    expect(countPages(500_000, 1)).toBe(25);
    expect(countPages(50_000_000, 1)).toBe(120);
  });

  test('suffices for 5,000 pages of text, of 2 KB each', () => {
    expect(countPages(5_000 * 2_000, 0.02)).toBe(5_000);
  });

  test('ends a PDF whose pages share slow content', async () => {
    const count = 2_000;
    const pdf = buildPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(count)}] /Count ${count} >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> /Contents 4 0 R >>',
      { dictionary: '', stream: 'q Q' },
    ]);
    let checked = 0;
    const bounds = createBounds(
      () => {},
      pdf.length,
      () => checked++,
    );
    expect(await catchReason(parsePdf(pdf, bounds, undefined))).toBe('too_complex');
    expect(checked).toBeLessThan(20);
  });
});

describe('the CPU time of OCR', () => {
  test('is not part of the pages', async () => {
    const { clock, bounds } = createTimedBounds(310_000);
    for (let page = 0; page < 30; page++) {
      await bounds.limitOcr(async () => {
        clock.seconds += 2.5;
      });
      expect(() => bounds.finishPage()).not.toThrow();
    }
  });

  test('ends within a picture', async () => {
    const { clock, bounds } = createTimedBounds(10_000);
    let percent = 0;
    const recognizing = bounds.limitOcr(async (onProgress) => {
      for (; percent < 100; percent++) {
        clock.seconds += 1;
        onProgress();
      }
    });
    expect(await catchReason(recognizing)).toBe('too_complex');
    expect(percent).toBe(17);
  });

  test('has a limit that grows with the size of the file, up to five minutes', async () => {
    for (const [fileBytes, pages] of [
      [80_000, 16],
      [50_000_000, 151],
    ] as const) {
      const { clock, bounds } = createTimedBounds(fileBytes);
      const recognize = () =>
        bounds.limitOcr(async () => {
          clock.seconds += 2;
        });
      for (let page = 0; page < pages; page++) await recognize();
      expect(await catchReason(recognize())).toBe('too_complex');
    }
  });
});
