/** Uncompressed greyscale image, from 0 (black) to 255 (white), row by row from the top. */
export interface GreyImage {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export const toGrey = (red: number, green: number, blue: number): number =>
  (red * 299 + green * 587 + blue * 114) / 1000;

/** Encodes an image as a PGM file, the simplest format (http://netpbm.sourceforge.net/doc/pgm.html). */
export function toPgm({ width, height, pixels }: GreyImage): Uint8Array {
  const head = new TextEncoder().encode(`P5 ${width} ${height} 255\n`);
  const file = new Uint8Array(head.length + pixels.length);
  file.set(head);
  file.set(pixels, head.length);
  return file;
}
