/** The part of gifenc that is used: it comes without types. */
declare module 'gifenc' {
  type Palette = number[][];
  interface Encoder {
    writeFrame(
      indexes: Uint8Array,
      width: number,
      height: number,
      options: {
        palette?: Palette;
        /** In milliseconds. */
        delay: number;
        transparent: boolean;
        transparentIndex: number;
        /** What becomes of the frame: 1 keeps it below the next. */
        dispose: number;
      },
    ): void;
    finish(): void;
    bytes(): Uint8Array;
  }
  const gifenc: {
    GIFEncoder(): Encoder;
    quantize(rgba: Uint8Array, colors: number): Palette;
    nearestColorIndex(palette: Palette, color: number[]): number;
  };
  export default gifenc;
}
