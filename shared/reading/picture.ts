/** An uncompressed image in shades of grey, from 0 (black) to 255; rows from the top. */
export interface Grey {
  width: number;
  height: number;
  pixels: Uint8Array;
}

export const greyOf = (red: number, green: number, blue: number): number =>
  (red * 299 + green * 587 + blue * 114) / 1000;

/** The image as a PGM file, the plainest format there is (http://netpbm.sourceforge.net/doc/pgm.html). */
export function toPgm({ width, height, pixels }: Grey): Uint8Array {
  const head = new TextEncoder().encode(`P5 ${width} ${height} 255\n`);
  const file = new Uint8Array(head.length + pixels.length);
  file.set(head);
  file.set(pixels, head.length);
  return file;
}
