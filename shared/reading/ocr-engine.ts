import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Core, PageIterator, TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd.js';
import { enlarge, type GreyImage, toGrey, toPgm } from './grey-image.ts';
import { readPackageData } from './package-data.ts';
import { Unreadable } from './unreadable.ts';

/** Tesseract's neural recognizer, and its older one, which detects orientation and script. */
const recognizers = { lines: 1, orientation: 0 };

/** Thresholding that adapts to the light around each pixel (Sauvola's). By default, parts in the shade turn black. */
const sauvola = '2';

/** Level of text lines in Tesseract's iterators. */
const textLine = 2;

/** Tesseract's WebAssembly module, with the data of some languages. */
export interface Engine {
  core: Core;
  memory: WebAssembly.Memory;
  /** Recognizers that were loaded, by their languages. */
  loaded: Map<string, TessBaseAPI>;
  /** Called with the progress on an image, in percent. */
  onPercent(percent: number): void;
}

/**
 * Starts the core of tesseract.js in this thread. tesseract.js itself would start a worker from files that a bundle does not contain.
 * Always uses the SIMD build, so that every processor finds the same text.
 */
export async function startEngine(): Promise<Engine> {
  const binary = await readPackageData('tesseract.js-core', 'tesseract-core-simd.wasm');
  const { default: startCore } = await import('tesseract.js-core/tesseract-core-simd.js');
  let memory: WebAssembly.Memory | undefined;
  const core = await startCore({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(binary, imports).then(({ instance }) => {
        memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
        done(instance);
      });
      return {};
    },
    print: () => {},
    printErr: () => {},
    TesseractProgress: (percent) => engine.onPercent(percent),
  });
  if (!memory) throw new Error('Tesseract exports no memory');
  const engine: Engine = { core, memory, loaded: new Map(), onPercent: () => {} };
  return engine;
}

/** Returns a recognizer for languages, which are names of Tesseract's data, or for `osd`, which detects orientation and script. */
export async function loadRecognizer({ core, loaded }: Engine, languages: string[]): Promise<TessBaseAPI> {
  const names = languages.join('+');
  const existing = loaded.get(names);
  if (existing) return existing;
  for (const name of languages) {
    const packed = await readPackageData(`@tesseract.js-data/${name}`, '4.0.0_best_int', `${name}.traineddata.gz`);
    core.FS.writeFile(`${name}.traineddata`, await promisify(gunzip)(packed));
  }
  const api = new core.TessBaseAPI();
  const kind = names === 'osd' ? recognizers.orientation : recognizers.lines;
  if (api.Init(null, names, kind) !== 0) throw new Error(`Tesseract cannot load its data of ${names}`);
  api.SetVariable('thresholding_method', sauvola);
  loaded.set(names, api);
  return api;
}

/** Decodes an image file into a recognizer. Throws Unreadable. */
export function loadImage({ core }: Engine, api: TessBaseAPI, file: Uint8Array, orientation = 1, angle = 0): void {
  core.FS.writeFile('/input', file);
  if (api.SetImageFile(orientation, angle) !== 0) throw new Unreadable('damaged');
}

/** Returns the median height of the text lines in the image of a recognizer, in pixels; undefined if there are none. */
export function measureLineHeight({ core }: Engine, api: TessBaseAPI): number | undefined {
  const line: PageIterator = api.AnalyseLayout();
  if (core.getPointer(line) === 0) return undefined;
  const heights: number[] = [];
  do {
    const { y0, y1 } = core.ResultIterator.prototype.getBoundingBox.call(line, textLine);
    heights.push(y1 - y0);
  } while (line.Next(textLine));
  core.destroy(line);
  return heights.toSorted((one, other) => one - other)[heights.length >> 1];
}

/** Returns the image of a recognizer in grey. */
export function getGreyImage({ memory }: Engine, api: TessBaseAPI): GreyImage {
  const picture = api.GetInputImage();
  const [width, height, depth] = [picture.get_w(), picture.get_h(), picture.get_d()];
  const bytes = new Uint8Array(memory.buffer, picture.get_data(), picture.get_wpl() * 4 * height);
  const pixels = new Uint8Array(width * height);
  // WebAssembly stores the lowest byte of a word first, and Leptonica the first pixel highest.
  const readByte = (at: number) => bytes[at ^ 3] ?? 0;
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * picture.get_wpl() * 4;
    for (let x = 0; x < width; x++) {
      if (depth === 1) pixels[at++] = (readByte(row + (x >> 3)) >> (7 - (x & 7))) & 1 ? 0 : 255;
      else if (depth === 8) pixels[at++] = readByte(row + x);
      else pixels[at++] = toGrey(readByte(row + 4 * x), readByte(row + 4 * x + 1), readByte(row + 4 * x + 2));
    }
  }
  return { width, height, pixels };
}

/** Orientation and script of a page. */
export interface Writing {
  /** Quarter turns, clockwise, that make it upright. */
  quarterTurns: number;
  /** Name of its script in Tesseract. */
  script: string;
}

/** Pixels of a page in which orientation and script are detected well. A4 at 150 dpi has 2.2 million. */
const detectablePixels = 4_000_000;

/** Confidence of an orientation below which a page counts as upright. Pages of text have more than 7, photos less. */
const minOrientationConfidence = 5;

/** Detects how a page is written; undefined if it has too little text to tell. */
export async function detectWriting(
  engine: Engine,
  file: Uint8Array,
  orientation: number,
): Promise<Writing | undefined> {
  const api = await loadRecognizer(engine, ['osd']);
  loadImage(engine, api, file, orientation);
  const picture = api.GetInputImage();
  const factor = Math.floor(Math.sqrt(detectablePixels / (picture.get_w() * picture.get_h())));
  if (factor > 1) loadImage(engine, api, toPgm(enlarge(getGreyImage(engine, api), Math.min(factor, 3))));
  const results = new engine.core.OSResults();
  if (!api.DetectOS(results)) return undefined;
  const { orientation_id, oconfidence, script_id } = results.best_result;
  return {
    quarterTurns: oconfidence < minOrientationConfidence ? 0 : (4 - orientation_id) % 4,
    script: results.unicharset.get_script_from_script_id(script_id),
  };
}
