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

/** Returns a copy that is turned clockwise by quarter turns. */
export function turn({ width, height, pixels }: GreyImage, quarterTurns: number): GreyImage {
  const isUpright = quarterTurns % 2 === 0;
  const turned = { width: isUpright ? width : height, height: isUpright ? height : width };
  const result = new Uint8Array(pixels.length);
  const [start, right, down] = [
    [0, 1, width],
    [(height - 1) * width, -width, 1],
    [pixels.length - 1, -1, -width],
    [width - 1, width, -1],
  ][quarterTurns] as [number, number, number];
  for (let y = 0, at = 0; y < turned.height; y++) {
    for (let x = 0; x < turned.width; x++) result[at++] = pixels[start + x * right + y * down] ?? 255;
  }
  return { ...turned, pixels: result };
}

/** Returns a copy that is larger by a whole factor, interpolated between the four nearest pixels. */
export function enlarge({ width, height, pixels }: GreyImage, factor: number): GreyImage {
  const enlarged = { width: width * factor, height: height * factor };
  const result = new Uint8Array(enlarged.width * enlarged.height);
  const locate = (at: number, size: number): [low: number, high: number, share: number] => {
    const place = Math.min(Math.max((at + 0.5) / factor - 0.5, 0), size - 1);
    const low = Math.floor(place);
    return [low, Math.min(low + 1, size - 1), place - low];
  };
  const columns = Array.from({ length: enlarged.width }, (_, x) => locate(x, width));
  for (let y = 0, at = 0; y < enlarged.height; y++) {
    const [top, bottom, down] = locate(y, height);
    for (const [left, right, across] of columns) {
      const mix = (row: number) =>
        (pixels[row * width + left] ?? 0) * (1 - across) + (pixels[row * width + right] ?? 0) * across;
      result[at++] = mix(top) * (1 - down) + mix(bottom) * down + 0.5;
    }
  }
  return { ...enlarged, pixels: result };
}
