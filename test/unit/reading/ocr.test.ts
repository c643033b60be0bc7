import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { toPgm } from '../../../shared/reading/grey-image.ts';
import { createOcr } from '../../../shared/reading/ocr.ts';
import { getGreyImage, loadImage, loadRecognizer, startEngine } from '../../../shared/reading/ocr-engine.ts';
import { OcrFailed, Unreadable } from '../../../shared/reading/unreadable.ts';
import { detectLanguage } from '../../../shared/search/common-words.ts';
import { catchReason, parseAs, parseWarnings, readSample } from '../../support/documents.ts';
import { buildTiff } from '../../support/tiff.ts';

/** Fake OCR. Returns the header of the image. */
const describeImage = async (image: Uint8Array) => ({
  text: Buffer.from(image).toString('latin1').slice(0, 11).replaceAll('\n', ' '),
  confidence: 90,
});

describe('an image', () => {
  test.each(['scanned-page.png', 'lines-turned.jpg', 'lines.webp', 'lines.tiff'])(
    'has no text without OCR: %s',
    async (name) => {
      expect(await catchReason(parseAs(name, readSample(name)))).toBe('no_text');
    },
  );

  test('is passed to OCR unchanged, with its orientation', async () => {
    const seen: unknown[] = [];
    const spy = async (image: Uint8Array, picture: object) => ({
      text: `seen ${seen.push([image.length, picture])}`,
      confidence: 90,
    });
    const jpeg = readSample('lines-turned.jpg');
    expect(await parseAs('a.jpg', jpeg, { ocr: spy })).toEqual([{ number: null, text: 'seen 1' }]);
    expect(seen).toEqual([[jpeg.length, { orientation: 8, onProgress: expect.any(Function) }]]);
  });

  test.each([
    [69, [{ type: 'ocr_uncertain', msg: expect.stringContaining('The text was hard') }]],
    [70, []],
  ])('has a warning if OCR is less than 70 % sure of it: %i %%', async (confidence, warnings) => {
    const ocr = async () => ({ text: 'seen', confidence });
    expect(await parseWarnings('a.webp', readSample('lines.webp'), { ocr })).toEqual(warnings);
  });

  test('has a warning that names the uncertain pages and those without text', async () => {
    const seen = [90, 20, 90, 20].map((confidence, i) => ({ text: i === 2 ? ' ' : 'seen', confidence }));
    const ocr = async () => seen.shift() ?? { text: '', confidence: 0 };
    expect(await parseWarnings('a.tiff', buildTiff(Array(20).fill({})), { ocr })).toEqual([
      {
        type: 'pages_without_text',
        msg: 'No text was found on 17 of 20 pages: 3, 5, 6, 7, 8, 9, 10, 11, 12, 13 and 7 more',
      },
      { type: 'ocr_uncertain', msg: expect.stringContaining('on 2 of 20 pages: 2, 4 was hard') },
    ]);
  });

  test('is a page of a TIFF, unless it is a preview', async () => {
    const pages = await parseAs('a.tiff', buildTiff([{}, { preview: true }, {}]), { ocr: describeImage });
    expect(pages).toEqual([1, 2].map((number) => ({ number, text: 'P5 8 8 255' })));
  });

  test('keeps the number of its page, also after one in which no letter fits', async () => {
    const pages = await parseAs('a.tiff', buildTiff([{}, { width: 2, height: 2 }, {}]), { ocr: describeImage });
    expect(pages.map(({ number, text }) => [number, text !== ''])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  test('is read once if the pages of a TIFF form a loop', async () => {
    expect(await parseAs('a.tiff', buildTiff([{}], 8), { ocr: describeImage })).toHaveLength(1);
  });

  test('is not called damaged if OCR itself fails', async () => {
    const ocr = () => Promise.reject(new OcrFailed());
    await expect(parseAs('a.webp', readSample('lines.webp'), { ocr })).rejects.toThrow(OcrFailed);
  });

  test('is rejected with more than 40 megapixels, or no size', async () => {
    expect(await catchReason(parseAs('a.tiff', buildTiff([{ width: 20_000_001 }]), { ocr: describeImage }))).toBe(
      'too_large',
    );
    const twice = buildTiff([{ width: 30_000, height: 30_000 }]);
    for (const [place, tag] of [256, 257].entries()) {
      const view = new DataView(twice.buffer, 8 + 2 + (8 + place) * 12);
      view.setUint16(0, tag, true); // another width and height, in place of two tags that are not needed
      view.setUint32(8, 100, true);
    }
    expect(await catchReason(parseAs('a.tiff', twice, { ocr: describeImage }))).toBe('too_large');
    const signed = buildTiff([{ preview: true }, { width: 30_000, height: 30_000 }]);
    const second = new DataView(signed.buffer).getUint32(8 + 2 + 10 * 12, true);
    for (const entry of [1, 2]) signed[second + 2 + entry * 12 + 2] = 9; // its width and height are signed numbers
    expect(await catchReason(parseAs('a.tiff', signed, { ocr: describeImage }))).toBe('too_large');
    signed[second + 2 + 12 + 2] = 99;
    expect(await catchReason(parseAs('a.tiff', signed, { ocr: describeImage }))).toBe('damaged');
  });

  test('has no text if no letter fits in it', async () => {
    const small = (side: number) => buildTiff([{ width: side }]);
    expect(await catchReason(parseAs('a.tiff', small(7), { ocr: describeImage }))).toBe('no_text');
    expect(await parseAs('a.tiff', small(8), { ocr: describeImage })).toHaveLength(1);
    const png = (side: number) => {
      const sized = readSample('scanned-page.png');
      new DataView(sized.buffer).setUint32(16, side);
      return parseAs('a.png', sized, { ocr: describeImage });
    };
    expect(await catchReason(png(7))).toBe('no_text');
    expect(await png(8)).toHaveLength(1);
  });

  test('may have its size after megabytes of metadata or pixels', async () => {
    const jpeg = readSample('lines-turned.jpg');
    const segment = Buffer.alloc(65_535, 'x');
    segment.set([0xff, 0xe5, 0xff, 0xfd]);
    const file = Buffer.concat([jpeg.subarray(0, 2), ...Array(70).fill(segment), jpeg.subarray(2)]);
    expect(await parseAs('a.jpg', file, { ocr: describeImage })).toHaveLength(1);
    const [head, rest] = [Buffer.from(buildTiff([{}]).subarray(0, 8)), Buffer.from(buildTiff([{}]).subarray(8))];
    const padding = Buffer.alloc(4_200_000);
    for (const [part, at] of [
      [head, 4], // where the directory is
      [rest, 2 + 6 * 12 + 8], // and the pixels
    ] as const)
      part.writeUInt32LE(part.readUInt32LE(at) + padding.length, at);
    const tiff = Buffer.concat([head, padding, rest]);
    expect(await parseAs('a.tiff', tiff, { ocr: describeImage })).toHaveLength(1);
  });

  test('is rejected with advice if its first 16 MB do not have its size', async () => {
    const segment = Buffer.alloc(65_535, 'x');
    segment.set([0xff, 0xe5, 0xff, 0xfd]);
    const jpeg = readSample('lines-turned.jpg');
    const file = Buffer.concat([jpeg.subarray(0, 2), ...Array(250).fill(segment), jpeg.subarray(2)]);
    const refused = parseAs('a.jpg', file, { ocr: describeImage });
    await expect(refused).rejects.toThrow('The size of the image is not in its first 16 MB');
  });

  test('is rejected if its strips have more than two million numbers', async () => {
    const tiff = Buffer.concat([buildTiff([{}]), Buffer.alloc(2_000_001)]);
    const strips = 8 + 2 + 6 * 12; // the entry with their offsets
    tiff.writeUInt16LE(1, strips + 2);
    tiff.writeUInt32LE(2_000_001, strips + 4);
    expect(await catchReason(parseAs('a.tiff', tiff, { ocr: describeImage }))).toBe('too_large');
    tiff.writeUInt32LE(100_000, strips + 4);
    expect(await catchReason(parseAs('a.tiff', tiff, { ocr: describeImage }))).not.toBe('too_large');
  });

  test('is rejected if a PNG says more than 40 megapixels', async () => {
    const png = readSample('scanned-page.png');
    new DataView(png.buffer).setUint32(16, 40_000_001);
    expect(await catchReason(parseAs('a.png', png, { ocr: describeImage }))).toBe('too_large');
  });
});

describe('OCR', () => {
  const createEnglish = () => createOcr({ available: ['en'] }, detectLanguage);
  const every = ['en', 'de', 'ko'] as const;

  test.each([
    'lines.tiff',
    'lines-turned.jpg',
    'lines.webp',
    'lines.gif',
    'lines.bmp',
    'lines.jp2',
    'lines-small.png',
    'lines-palette.png',
    'lines-sideways.png',
  ])('reads %s', async (name) => {
    const pages = await parseAs(name, readSample(name), { ocr: createEnglish() });
    expect(pages).toEqual([{ number: name === 'lines.tiff' ? 1 : null, text: expect.any(String) }]);
    expect(pages[0]?.text).toContain('creatures, but she was determined');
    expect(pages[0]?.text).toContain('how the thing stood.');
  });

  test.each([
    [6_400, 6_400],
    [32_768, 1],
  ])('reads no image that is too large once it is decoded: %i × %i pixels', async (width, height) => {
    const image = toPgm({ width, height, pixels: new Uint8Array(width * height) });
    const recognized = createEnglish()(image, { orientation: 1, onProgress: () => {} });
    expect(await catchReason(recognized)).toBe('too_large');
  });

  /** Returns the lines of text with other shades, as a file. */
  async function shadeLines(toShade: (shade: number, across: number) => number): Promise<Uint8Array> {
    const engine = await startEngine();
    const api = await loadRecognizer(engine, ['osd']);
    loadImage(engine, api, readSample('lines.webp'));
    const image = getGreyImage(engine, api);
    return toPgm({ ...image, pixels: image.pixels.map((shade, i) => toShade(shade, (i % image.width) / image.width)) });
  }

  test.each<[string, (shade: number, across: number) => number]>([
    ['that lies partly in the shade', (shade, across) => shade * (0.35 + 0.65 * across)],
    ['that is light on dark', (shade) => 200 - (shade * 3) / 5],
    ['that is partly light on dark', (shade, across) => (across < 0.4 ? 255 - shade : shade)],
  ])('reads text %s', async (_, toShade) => {
    const found = await createEnglish()(await shadeLines(toShade), { orientation: 1, onProgress: () => {} });
    expect(found.text).toContain('creatures, but she was determined');
  });

  test('finds the script and the language of each picture of a document', async () => {
    const ocr = createOcr({ available: [...every] }, detectLanguage);
    const texts: (string | undefined)[] = [];
    for (const name of ['lines-ko.png', 'lines-de.png', 'lines.webp']) {
      texts.push((await parseAs(name, readSample(name), { ocr }))[0]?.text);
    }
    expect(texts).toEqual([
      expect.stringContaining('도서관은'),
      expect.stringContaining('Gäste parken kostenlos hinter dem Hauptgebäude. Frühstück'),
      expect.stringContaining('creatures, but she was determined'),
    ]);
  });

  test('reads the languages that were chosen', async () => {
    const ocr = createOcr({ chosen: ['ko'], available: [...every] }, detectLanguage);
    expect((await parseAs('a.png', readSample('lines-ko.png'), { ocr }))[0]?.text).toContain('도서관은');
  });

  test('is uncertain of a script that it cannot read', async () => {
    const warnings = await parseWarnings('a.png', readSample('lines-th.png'), {
      ocr: createOcr({ available: [...every] }, detectLanguage),
    });
    expect(warnings).toEqual([{ type: 'ocr_uncertain', msg: expect.stringContaining('name its languages') }]);
  });

  test('reports progress at most a hundred times per recognition', async () => {
    const onProgress = vi.fn();
    await parseAs('a.png', readSample('scanned-page.png'), { ocr: createEnglish(), onProgress });
    expect(onProgress.mock.calls.length).toBeGreaterThan(10);
    expect(onProgress.mock.calls.length).toBeLessThanOrEqual(100);
  });

  test('ends a recognition when its progress throws, then reads the next image', async () => {
    const ocr = createEnglish();
    const image = readSample('lines-small.png');
    let reports = 0;
    const onProgress = () => {
      if (++reports === 5) throw new Unreadable('too_complex');
    };
    expect(await catchReason(ocr(image, { orientation: 1, onProgress }))).toBe('too_complex');
    expect(reports).toBe(5);
    expect((await ocr(image, { orientation: 1, onProgress: () => {} })).text).toContain('creatures');
  });

  test('fails, and calls no image damaged, if its memory cannot grow', async () => {
    const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
      throw new RangeError('could not grow');
    });
    const ocr = createEnglish();
    const image = readSample('lines-small.png');
    await expect(parseAs('a.png', image, { ocr })).rejects.toThrow(OcrFailed);
    grow.mockRestore();
    expect((await parseAs('a.png', image, { ocr }))[0]?.text).toContain('creatures');
  });

  test.each([20_000, 40_000])(
    'takes an image of 35 bytes that claims a width and height of %i for damaged, without asking for its memory',
    async (side) => {
      const grow = vi.spyOn(WebAssembly.Memory.prototype, 'grow');
      onTestFinished(() => grow.mockRestore());
      const header = [0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 100, 0, 100, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255];
      const size = [side & 255, side >> 8];
      const frame = [0x2c, 0, 0, 0, 0, ...size, ...size, 0, 2, 2, 0x4c, 1, 0, 0x3b];
      const image = new Uint8Array([...header, ...frame]);
      expect(await catchReason(parseAs('a.gif', image, { ocr: createEnglish() }))).toBe('damaged');
      expect(grow).toHaveBeenCalled();
      expect(Math.max(...grow.mock.calls.map(([pages]) => pages))).toBeLessThan(5_120);
    },
  );

  test('reads an image of 40 megapixels with eight bytes each, in one piece', async () => {
    const [width, height] = [8_000, 5_000];
    const pixels = Buffer.alloc((width * height * 8) / 64, Uint8Array.of(129, 200)); // 128 bytes in two
    const engine = await startEngine();
    const api = await loadRecognizer(engine, ['osd']);
    loadImage(engine, api, buildTiff([{ width, height, deep: true }], undefined, pixels));
    expect(getGreyImage(engine, api)).toMatchObject({ width, height });
  });

  test('rejects a damaged image', async () => {
    expect(
      await catchReason(parseAs('a.png', readSample('scanned-page.png').subarray(0, 1_000), { ocr: createEnglish() })),
    ).toBe('damaged');
    expect(await catchReason(createEnglish()(new Uint8Array(10), { orientation: 1, onProgress: () => {} }))).toBe(
      'damaged',
    );
  });
});
