import { deflateSync } from 'node:zlib';

/** An image of a TIFF, by default 8 by 8 pixels. */
interface TiffImage {
  width?: number;
  height?: number;
  preview?: boolean;
}

/**
 * Builds a TIFF of greyscale images, compressed by deflate: a header, then for each image a directory and the same pixels. `next`
 * overrides the offset of the next directory in every directory.
 */
export function buildTiff(
  images: TiffImage[],
  next?: number,
  pixels: Uint8Array = deflateSync(Buffer.alloc(64, 255)),
): Uint8Array {
  const length = 2 + 9 * 12 + 4 + pixels.length + (pixels.length % 2);
  const file = Buffer.alloc(8 + images.length * length);
  file.write('II*\0');
  file.writeUInt32LE(8, 4);
  for (const [i, { width = 8, height = 8, preview = false }] of images.entries()) {
    const at = 8 + i * length;
    const data = at + 2 + 9 * 12 + 4;
    const tags = [
      [254, Number(preview)],
      [256, width],
      [257, height],
      [258, 8],
      [259, 8],
      [262, 1],
      [273, data],
      [278, height],
      [279, pixels.length],
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
    file.set(pixels, data);
  }
  return new Uint8Array(file);
}
