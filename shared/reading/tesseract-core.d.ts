/** Types of the used part of WebAssembly, which those of Node lack. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
  }
  interface Instance {
    exports: Record<string, unknown>;
  }
  function instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: Instance }>;
}

/** Types of the used part of Tesseract. The package has none. */
declare module 'tesseract.js-core/tesseract-core-simd.js' {
  /** Image in Leptonica's format: rows of 32-bit words, whose first pixel is in the highest bits. */
  export interface Pix {
    get_w(): number;
    get_h(): number;
    /** Bits per pixel: 1, 8 or 32. */
    get_d(): number;
    /** 32-bit words per row. */
    get_wpl(): number;
    /** Address in the memory of the module. */
    get_data(): number;
  }
  /** Walks over a page. */
  export interface PageIterator {
    /** Moves to the next element of a level. Returns false at the end. */
    Next(level: number): boolean;
  }
  export interface TessBaseAPI {
    /** Loads the data of languages, joined by `+`. Returns 0 on success. */
    Init(folder: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Loads the image `/input`. Returns 0 on success. `angle` is in radians. */
    SetImageFile(orientation: number, angle: number): number;
    /** Returns the image that was loaded. */
    GetInputImage(): Pix;
    /** Finds the lines of the image. `Recognize` uses them again. */
    AnalyseLayout(): PageIterator;
    /** Returns the slope of the lines that were found. */
    GetGradient(): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    MeanTextConf(): number;
    /** Detects orientation and script, with the data `osd`. Returns false if the image has too little text. */
    DetectOS(results: OSResults): boolean;
  }
  export interface OSResults {
    best_result: { orientation_id: number; script_id: number; oconfidence: number; sconfidence: number };
    unicharset: { get_script_from_script_id(id: number): string };
  }
  export interface Core {
    FS: { writeFile(path: string, data: Uint8Array): void };
    TessBaseAPI: new () => TessBaseAPI;
    OSResults: new () => OSResults;
    ResultIterator: {
      prototype: { getBoundingBox(level: number): { x0: number; y0: number; x1: number; y1: number } };
    };
    /** Returns 0 for an object that does not exist. */
    getPointer(object: object): number;
    destroy(object: object): void;
  }
  export default function start(options: {
    instantiateWasm(imports: object, done: (instance: WebAssembly.Instance) => void): object;
    print(line: string): void;
    printErr(line: string): void;
    TesseractProgress(percent: number): void;
  }): Promise<Core>;
}
