import utif from 'utif2';
import { toGrey, toPgm } from './grey-image.ts';
import { checkPixels, isTooSmall, limits } from './limits.ts';
import { Unreadable } from './unreadable.ts';

/** Size of a value in bytes, by type (TIFF 6.0, section 2): all types of whole numbers. Pixels need none that are negative. */
const valueSizes: Record<number, number> = { 1: 1, 3: 2, 4: 4, 6: 1, 7: 1, 8: 2, 9: 4 };

/** Tags that describe how pixels are stored. All other tags are skipped, including the data they point to. */
const pixelTags = new Set([
  254, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 284, 292, 293, 317, 320, 322, 323, 324, 325, 338, 339,
  347, 512, 513, 514, 519, 520, 521, 529, 530, 532,
]);

const isLittleEndian = (bytes: Uint8Array) => bytes[0] === 0x49;

type Directory = Record<string, number[]>;

/** Limit of the numbers in all directories. An image of 40 megapixels in strips of one line has 20,000. */
const maxValues = 2_000_000;

/**
 * Parses the directories of a TIFF, one for each image. Replaces utif2's parser, which follows loops endlessly and trusts any count.
 * Throws if the file is cut short.
 */
function parseDirectories(bytes: Uint8Array): Map<number, Directory> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = isLittleEndian(bytes);
  let left = maxValues; // many entries may point to the same bytes
  const readValues = (entry: number): number[] => {
    const size = valueSizes[view.getUint16(entry + 2, little)];
    const count = view.getUint32(entry + 4, little);
    if (!size || count * size > bytes.length) return [];
    left -= count;
    if (left < 0)
      throw new Unreadable('too_large', 'The file has too many strips: save it with larger ones, or split it');
    const start = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, little);
    const read = { 1: view.getUint8, 2: view.getUint16, 4: view.getUint32 }[size] ?? view.getUint8;
    return Array.from({ length: count }, (_, i) => read.call(view, start + i * size, little));
  };
  const found = new Map<number, Directory>(); // by offset
  for (let at = view.getUint32(4, little); at !== 0 && !found.has(at); ) {
    if (found.size === limits.pages) throw new Unreadable('too_many_pages');
    const directory: Directory = {};
    const entries = view.getUint16(at, little);
    for (let i = 0; i < entries; i++) {
      const entry = at + 2 + i * 12;
      const tag = view.getUint16(entry, little);
      if (pixelTags.has(tag)) directory[`t${tag}`] ??= readValues(entry); // like Tesseract's decoder, takes the first of a tag
    }
    found.set(at, directory);
    at = view.getUint32(at + 2 + entries * 12, little);
  }
  return found;
}

/** Compressions that Tesseract cannot decode: JPEG, and both codes of deflate. utif2 would hang on other compressions. */
const unsupportedCompressions = [7, 8, 32_946];

function decodeToPgm(bytes: Uint8Array, directory: Directory, width: number, height: number): Uint8Array {
  const image = { ...directory, width, height } as unknown as utif.IFD;
  utif.decodeImage(bytes.slice().buffer, image);
  const rgba = utif.toRGBA8(image);
  const pixels = new Uint8Array(width * height);
  for (let i = 0; i < pixels.length; i++) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(4 * i, 4 * i + 4);
    pixels[i] = 255 - ((255 - toGrey(red, green, blue)) * alpha) / 255;
  }
  return toPgm({ width, height, pixels });
}

/** Returns a copy of the TIFF that starts with the image at an offset. The decoder looks at the first image only. */
function selectImage(bytes: Uint8Array, at: number): Uint8Array {
  const file = bytes.slice();
  new DataView(file.buffer).setUint32(4, at, isLittleEndian(bytes));
  return file;
}

/** Image of a TIFF: a file for OCR, and its orientation from 1 to 8, as in TIFF and EXIF. */
interface Frame {
  file: Uint8Array;
  orientation: number;
}

/** Yields the images of a TIFF, except previews. Undefined for one in which no letter fits. Throws Unreadable if one is too large. */
export function* listFrames(bytes: Uint8Array): Generator<Frame | undefined> {
  for (const [at, directory] of parseDirectories(bytes)) {
    const [width = 0] = directory.t256 ?? [];
    const [height = 0] = directory.t257 ?? [];
    const [preview = 0] = directory.t254 ?? [];
    if (preview & 1) continue;
    if (!(width > 0 && height > 0)) throw new Unreadable('damaged'); // the decoder may know another size
    checkPixels(width, height);
    if (isTooSmall(width, height)) yield undefined;
    else if (unsupportedCompressions.includes(directory.t259?.[0] ?? 1)) {
      yield { file: decodeToPgm(bytes, directory, width, height), orientation: directory.t274?.[0] ?? 1 };
    } else {
      yield { file: selectImage(bytes, at), orientation: 1 }; // the decoder rotates it
    }
  }
}
