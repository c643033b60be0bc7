import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Core, TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import { dataOf } from './data.ts';
import { Unreadable } from './unreadable.ts';

export interface Picture {
  /** Which way up the image is, from 1 (as it should be) to 8, as EXIF counts. */
  orientation: number;
  /** Called while the image is read, at most a hundred times. */
  onProgress(): void;
}

/** Reads the text in an image: the bytes of a PNG, JPEG, WebP, PGM or TIFF file, of the last only its first. Throws Unreadable. */
export type Ocr = (image: Uint8Array, picture: Picture) => Promise<string>;

interface Engine {
  core: Core;
  api: TessBaseAPI;
  /** Called with the percentage of the image that has been read. */
  onPercent(percent: number): void;
}

/**
 * The core of tesseract.js itself, in this thread: tesseract.js would start a worker from files of its own, of which a
 * bundle has none. Of its builds the one with SIMD, so that every processor finds the same text.
 */
async function start(): Promise<Engine> {
  const [wasmBinary, packed] = await Promise.all([
    dataOf('tesseract.js-core', 'tesseract-core-simd-lstm.wasm'),
    dataOf('@tesseract.js-data/eng', '4.0.0_best_int', 'eng.traineddata.gz'),
  ]);
  const { default: startCore } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
  const core = await startCore({
    wasmBinary,
    print: () => {},
    printErr: () => {},
    TesseractProgress: (percent) => engine.onPercent(percent),
  });
  core.FS.writeFile('eng.traineddata', await promisify(gunzip)(packed));
  const api = new core.TessBaseAPI();
  const lstm = 1; // the only engine in this build
  if (api.Init(null, 'eng', lstm) !== 0) throw new Error('The data of the language cannot be used');
  const engine: Engine = { core, api, onPercent: () => {} };
  return engine;
}

let started: Promise<Engine> | undefined;

/** The English text in an image, by Tesseract. It starts in 0.2 s, and then takes the thread for a second or more. */
export const ocr: Ocr = async (image, { orientation, onProgress }) => {
  started ??= start();
  try {
    const engine = await started;
    let most = 0;
    engine.onPercent = (percent) => {
      if (percent > most) onProgress();
      most = Math.max(most, percent);
    };
    engine.core.FS.writeFile('/input', image);
    if (engine.api.SetImageFile(orientation, 0) !== 0) throw new Unreadable('damaged');
    if (engine.api.Recognize(null) !== 0) throw new Unreadable('damaged');
    return engine.api.GetUTF8Text();
  } catch (error) {
    started = undefined; // whatever state it is in, the next image gets a fresh one
    throw error;
  }
};
