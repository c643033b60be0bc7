/** Types of the used part of Tesseract. The package has none. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
    /** Loads the data of a language. Returns 0 on success. */
    Init(folder: null, language: string, engine: number): number;
    /** Loads the image `/input`. Returns 0 on success. `angle` is in radians. */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    MeanTextConf(): number;
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
