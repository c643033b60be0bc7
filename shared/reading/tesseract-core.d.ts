/** The part of Tesseract's interface that is used; the package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
    /** 0 where the data of the language was read. */
    Init(folder: null, language: string, engine: number): number;
    /** Reads the file `/input`; 0 where it is an image. `angle` is in radians. */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
  }
  export interface Core {
    FS: { writeFile(path: string, data: Uint8Array): void };
    TessBaseAPI: new () => TessBaseAPI;
  }
  export default function start(options: {
    wasmBinary: Uint8Array;
    print(line: string): void;
    printErr(line: string): void;
    TesseractProgress(percent: number): void;
  }): Promise<Core>;
}
