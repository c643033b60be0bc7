/** Types of the used part of WebAssembly, which those of Node lack. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
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
    /** Bits per pixel: 1, 2, 4, 8, 16 or 32. */
    get_d(): number;
    /** Colors that the pixels are indices of. A null pointer if they are shades. */
    get_colormap(): Colormap;
    /** 32-bit words per row. */
    get_wpl(): number;
    /** Address in the memory of the module. */
    get_data(): number;
  }
  export interface Colormap {
    /** Address of the colors: blue, green, red and alpha, one byte each. */
    get_array(): number;
    get_n(): number;
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
    /** Limits what is read to a part of the image. Drops what was found so far. */
    SetRectangle(left: number, top: number, width: number, height: number): void;
    /** Returns the ink of the image, one bit per pixel. Belongs to the caller. */
    GetThresholdedImage(): Pix;
    /** Finds the lines of the image. `Recognize` uses them again. */
    AnalyseLayout(): PageIterator;
    /** Returns the slope of the lines that were found. */
    GetGradient(): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    /** Returns a row per page, block, paragraph, line and word. */
    GetTSVText(page: number): string;
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
    _malloc(bytes: number): number;
    _free(address: number): void;
    /** Releases the image whose address is stored at an address. */
    _pixDestroy(address: number): void;
  }
  export default function start(options: {
    instantiateWasm(imports: object, done: (instance: WebAssembly.Instance) => void): object;
    print(line: string): void;
    printErr(line: string): void;
    TesseractProgress(percent: number): void;
  }): Promise<Core>;
}
