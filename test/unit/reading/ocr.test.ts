import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ocr } from '../../../shared/reading/ocr.ts';
import { cpuTimeSince } from '../../support/cpu-time.ts';
import { readAs, reasonOf, sample } from '../../support/documents.ts';

/** A TIFF of images of 2 by 2 grey points, packed by deflate: its header, then a directory and the points of each. */
function tiffOf(images: { width?: number; preview?: boolean }[], next?: number): Uint8Array {
  const points = deflateSync(Buffer.from([0, 255, 255, 0]));
  const length = 2 + 9 * 12 + 4 + points.length + (points.length % 2);
  const file = Buffer.alloc(8 + images.length * length);
  file.write('II*\0');
  file.writeUInt32LE(8, 4);
  for (const [i, { width = 2, preview = false }] of images.entries()) {
    const at = 8 + i * length;
    const data = at + 2 + 9 * 12 + 4;
    const tags = [
      [254, Number(preview)],
      [256, width],
      [257, 2],
      [258, 8],
      [259, 8],
      [262, 1],
      [273, data],
      [278, 2],
      [279, points.length],
    ];
    file.writeUInt16LE(tags.length, at);
    for (const [n, [tag = 0, value = 0]] of tags.entries()) {
      const entry = at + 2 + n * 12;
      file.writeUInt16LE(tag, entry);
      file.writeUInt16LE(4, entry + 2);
      file.writeUInt32LE(1, entry + 4);
      file.writeUInt32LE(value, entry + 8);
    }
    file.writeUInt32LE(next ?? (i + 1 < images.length ? at + length : 0), data - 4);
    points.copy(file, data);
  }
  return new Uint8Array(file);
}

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
    expect(await readAs('a.jpg', jpeg, { ocr: spy, deadline: 9e15 })).toEqual([{ number: null, text: 'seen 1' }]);
    expect(seen).toEqual([[jpeg.length, { orientation: 8, deadline: 9e15 }]]);
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

  test('stops when the time is over, and reads the next image all the same', async () => {
    const before = process.cpuUsage();
    expect(await reasonOf(readAs('a.png', sample('scanned-page.png'), { ocr, deadline: Date.now() + 100 }))).toBe(
      'too_slow',
    );
    expect(cpuTimeSince(before)).toBeLessThan(1_500);
    expect((await readAs('a.webp', sample('lines.webp'), { ocr }))[0]?.text).toContain('how the thing stood.');
  });

  test('of a damaged image finds it damaged', async () => {
    expect(await reasonOf(readAs('a.png', sample('scanned-page.png').subarray(0, 1_000), { ocr }))).toBe('damaged');
    expect(await reasonOf(ocr(new Uint8Array(10), { orientation: 1, deadline: 9e15 }))).toBe('damaged');
  });
});
