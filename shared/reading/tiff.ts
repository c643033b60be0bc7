import utif from 'utif2';
import { limits } from './bounds.ts';
import { checkPixels } from './image.ts';
import { greyOf, toPgm } from './picture.ts';
import { Unreadable } from './unreadable.ts';

/** TIFF 6.0, section 2: bytes of one value, by type. Other types describe no pixels. */
const sizes: Record<number, number> = { 1: 1, 3: 2, 4: 4, 7: 1 };

/** The tags that say how pixels are stored; all others, with whatever they lead to, are skipped. */
const tags = new Set([
  254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 292, 293, 317, 320, 322, 323, 324, 325, 338, 339,
  347, 512, 513, 514, 519, 520, 521, 529, 530, 532,
]);

const isLittle = (bytes: Uint8Array) => bytes[0] === 0x49;

type Directory = Record<string, number[]>;

/** How many numbers all directories may hold: an image of 40 megapixels in strips of one line has 20,000. */
const maxValues = 2_000_000;

/**
 * The directories of a TIFF, one for each image, from its own bytes: utif2 follows loops for ever, and believes any
 * count. Throws where the file ends before.
 */
function directoriesOf(bytes: Uint8Array): Map<number, Directory> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = isLittle(bytes);
  let left = maxValues; // many entries may name the same bytes
  const values = (entry: number): number[] => {
    const size = sizes[view.getUint16(entry + 2, little)];
    const count = view.getUint32(entry + 4, little);
    if (!size || count * size > bytes.length) return [];
    left -= count;
    if (left < 0) throw new Unreadable('damaged');
    const start = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
    const read = { 1: view.getUint8, 2: view.getUint16, 4: view.getUint32 }[size] ?? view.getUint8;
    return Array.from({ length: count }, (_, i) => read.call(view, start + i * size, little));
  };
  const found = new Map<number, Directory>(); // by where it begins
  for (let at = view.getUint32(4, little); at !== 0 && !found.has(at); ) {
    if (found.size === limits.pages) throw new Unreadable('too_many_pages');
    const directory: Directory = {};
    const entries = view.getUint16(at, little);
    for (let i = 0; i < entries; i++) {
      const entry = at + 2 + i * 12;
      const tag = view.getUint16(entry, little);
      if (tags.has(tag)) directory[`t${tag}`] = values(entry);
    }
    found.set(at, directory);
    at = view.getUint32(at + 2 + entries * 12, little);
  }
  return found;
}

/** Compressions that the decoder of the OCR lacks: JPEG, and deflate under two numbers. utif2 would hang on others. */
const foreign = [7, 8, 32_946];

function decoded(bytes: Uint8Array, directory: Directory, width: number, height: number): Uint8Array {
  const image = { ...directory, width, height } as unknown as utif.IFD;
  utif.decodeImage(bytes.slice().buffer, image);
  const rgba = utif.toRGBA8(image);
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(4 * i, 4 * i + 4);
    pixels[i] = 255 - ((255 - greyOf(red, green, blue)) * alpha) / 255;
  }
  return toPgm({ width, height, pixels });
}

/** The same TIFF, but with the image that begins there as its first: no other is looked at. */
function beginningAt(bytes: Uint8Array, at: number): Uint8Array {
  const file = bytes.slice();
  new DataView(file.buffer).setUint32(4, at, isLittle(bytes));
  return file;
}

/** One image of a TIFF: as a file for OCR, and which way up that is, from 1 to 8 as TIFF and EXIF count. */
interface Frame {
  file: Uint8Array;
  orientation: number;
}

/** The images of a TIFF, one after the other; previews are left out. Throws Unreadable for one that is too large. */
export function* framesOf(bytes: Uint8Array): Generator<Frame> {
  for (const [at, directory] of directoriesOf(bytes)) {
    const [width = 0] = directory.t256 ?? [];
    const [height = 0] = directory.t257 ?? [];
    const [preview = 0] = directory.t254 ?? [];
    if (preview & 1) continue;
    checkPixels(width, height);
    if (foreign.includes(directory.t259?.[0] ?? 1)) {
      yield { file: decoded(bytes, directory, width, height), orientation: directory.t274?.[0] ?? 1 };
    } else {
      yield { file: beginningAt(bytes, at), orientation: 1 }; // the decoder turns it itself
    }
  }
}
