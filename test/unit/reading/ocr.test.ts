import { describe, expect, test, vi } from 'vitest';
import { ocr } from '../../../shared/reading/ocr.ts';
import { readAs, reasonOf, sample } from '../../support/documents.ts';
import { tiffOf } from '../../support/tiff.ts';

/** Says how many bytes it was given, and how they begin. */
const told = async (image: Uint8Array) => Buffer.from(image).toString('latin1').slice(0, 11).replaceAll('\n', ' ');

describe('an image', () => {
  test.each(['scanned-page.png', 'lines-turned.jpg', 'lines.webp', 'lines.tiff'])(
    'has no text without OCR: %s',
    async (name) => {
      expect(await reasonOf(readAs(name, sample(name)))).toBe('no_text');
    },
  );

  test('is given to OCR as it is, with which way up it is', async () => {
    const seen: unknown[] = [];
    const spy = async (image: Uint8Array, picture: object) => `seen ${seen.push([image.length, picture])}`;
    const jpeg = sample('lines-turned.jpg');
    expect(await readAs('a.jpg', jpeg, { ocr: spy })).toEqual([{ number: null, text: 'seen 1' }]);
    expect(seen).toEqual([[jpeg.length, { orientation: 8, onProgress: expect.any(Function) }]]);
  });

  test('of a TIFF is a page; previews are none', async () => {
    const pages = await readAs('a.tiff', tiffOf([{}, { preview: true }, {}]), { ocr: told });
    expect(pages).toEqual([1, 2].map((number) => ({ number, text: 'P5 2 2 255' })));
  });

  test('of a TIFF that leads in a circle is read once', async () => {
    expect(await readAs('a.tiff', tiffOf([{}], 8), { ocr: told })).toHaveLength(1);
  });

  test('of more than 40 megapixels is refused', async () => {
    expect(await reasonOf(readAs('a.tiff', tiffOf([{ width: 20_000_001 }]), { ocr: told }))).toBe('too_large');
    const png = sample('scanned-page.png');
    new DataView(png.buffer).setUint32(16, 40_000_001);
    expect(await reasonOf(readAs('a.png', png, { ocr: told }))).toBe('too_large');
  });
});

describe('OCR', () => {
  test.each(['lines.tiff', 'lines-turned.jpg', 'lines.webp'])('reads %s', async (name) => {
    const [page] = await readAs(name, sample(name), { ocr });
    expect(page?.text).toContain('creatures, but she was determined');
    expect(page?.text).toContain('how the thing stood.');
  });

  test('reports progress, at most a hundred times an image', async () => {
    const onProgress = vi.fn();
    await readAs('a.png', sample('scanned-page.png'), { ocr, onProgress });
    expect(onProgress.mock.calls.length).toBeGreaterThan(10);
    expect(onProgress.mock.calls.length).toBeLessThanOrEqual(100);
  });

  test('of a damaged image finds it damaged', async () => {
    expect(await reasonOf(readAs('a.png', sample('scanned-page.png').subarray(0, 1_000), { ocr }))).toBe('damaged');
    expect(await reasonOf(ocr(new Uint8Array(10), { orientation: 1, onProgress: () => {} }))).toBe('damaged');
  });
});
