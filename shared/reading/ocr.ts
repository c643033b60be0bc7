import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Core, TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import { readPackageData } from './package-data.ts';
import { Unreadable } from './unreadable.ts';

export interface OcrOptions {
  /** EXIF orientation of the image, from 1 (upright) to 8. */
  orientation: number;
  /** Called at most 100 times per image. */
  onProgress(): void;
}

/** Text in an image. */
export interface RecognizedText {
  text: string;
  /** Mean certainty of its words, in percent. */
  confidence: number;
}

/** Recognizes the text in a PNG, JPEG, WebP or PGM file, or in the first image of a TIFF. Throws Unreadable. */
export type Ocr = (image: Uint8Array, picture: OcrOptions) => Promise<RecognizedText>;

interface Engine {
  core: Core;
  api: TessBaseAPI;
  /** Called with the progress on the image, in percent. */
  onPercent(percent: number): void;
}

/**
 * Starts the core of tesseract.js in this thread. tesseract.js itself would start a worker from files that a bundle does not contain.
 * Always uses the SIMD build, so that every processor finds the same text.
 */
async function startEngine(): Promise<Engine> {
  const [wasmBinary, packed] = await Promise.all([
    readPackageData('tesseract.js-core', 'tesseract-core-simd-lstm.wasm'),
    readPackageData('@tesseract.js-data/eng', '4.0.0_best_int', 'eng.traineddata.gz'),
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
  if (api.Init(null, 'eng', lstm) !== 0) throw new Error('Tesseract cannot load its English data');
  const engine: Engine = { core, api, onPercent: () => {} };
  return engine;
}

let startedEngine: Promise<Engine> | undefined;

/** Recognizes the English text in an image, by Tesseract. Starts in 0.2 s, then blocks the thread for a second or more. */
export const recognizeText: Ocr = async (image, { orientation, onProgress }) => {
  startedEngine ??= startEngine();
  try {
    const engine = await startedEngine;
    let highestPercent = 0;
    engine.onPercent = (percent) => {
      if (percent > highestPercent) onProgress();
      highestPercent = Math.max(highestPercent, percent);
    };
    engine.core.FS.writeFile('/input', image);
    if (engine.api.SetImageFile(orientation, 0) !== 0) throw new Unreadable('damaged');
    if (engine.api.Recognize(null) !== 0) throw new Unreadable('damaged');
    return { text: engine.api.GetUTF8Text(), confidence: engine.api.MeanTextConf() };
  } catch (error) {
    startedEngine = undefined; // its state is unknown, so the next image gets a new engine
    throw error;
  }
};
