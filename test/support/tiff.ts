import { deflateSync } from 'node:zlib';

/** An image of a TIFF, by default 8 by 8 pixels. */
interface TiffImage {
  width?: number;
  height?: number;
  preview?: boolean;
  /** Sixteen bits of red, green, blue and opacity per pixel, instead of eight of grey. */
  deep?: boolean;
}

/** Length of a directory of ten tags, in bytes. */
const directoryLength = 2 + 10 * 12 + 4;

/**
 * Builds a TIFF of images in one piece: a header, then for each image a directory, the bits of its channels and the same pixels. Pixels
 * are compressed by deflate, or by PackBits if they are deep. `next` overrides the offset of the next directory in every directory.
 */
export function buildTiff(
  images: TiffImage[],
  next?: number,
  pixels: Uint8Array = deflateSync(Buffer.alloc(64, 255)),
): Uint8Array {
  const length = directoryLength + 8 + pixels.length + (pixels.length % 2);
  const file = Buffer.alloc(8 + images.length * length);
  file.write('II*\0');
  file.writeUInt32LE(8, 4);
  for (const [i, { width = 8, height = 8, preview = false, deep = false }] of images.entries()) {
    const at = 8 + i * length;
    const bits = at + directoryLength;
    const data = bits + 8;
    const tags = [
      [254, Number(preview)],
      [256, width],
      [257, height],
      deep ? [258, bits, 4, 3] : [258, 8],
      [259, deep ? 32_773 : 8],
      [262, deep ? 2 : 1],
      [273, data],
      [277, deep ? 4 : 1],
      [278, height],
      [279, pixels.length],
    ];
    file.writeUInt16LE(tags.length, at);
    for (const [n, [tag = 0, value = 0, count = 1, type = 4]] of tags.entries()) {
      const entry = at + 2 + n * 12;
      file.writeUInt16LE(tag, entry);
      file.writeUInt16LE(type, entry + 2);
      file.writeUInt32LE(count, entry + 4);
      file.writeUInt32LE(value, entry + 8);
    }
    file.writeUInt32LE(next ?? (i + 1 < images.length ? at + length : 0), bits - 4);
    file.fill(Uint8Array.of(16, 0), bits, data);
    file.set(pixels, data);
  }
  return new Uint8Array(file);
}
