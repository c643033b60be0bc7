import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Core, PageIterator, Pix, TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd.js';
import { enlarge, type GreyImage, toGrey, toPgm } from './grey-image.ts';
import { checkPixels, findLargestFactor } from './limits.ts';
import { readPackageData } from './package-data.ts';
import { OcrFailed, Unreadable } from './unreadable.ts';

/** Tesseract's neural recognizer, and its older one, which detects orientation and script. */
const recognizers = { lines: 1, orientation: 0 };

/**
 * Layouts of a page that Tesseract looks for: text anywhere, in columns or beside pictures, or a single column of lines. By default, it
 * takes a page for a single block.
 */
const layouts = { anywhere: '3', singleColumn: '4' };

/** Data of languages whose characters are as wide as high: searched anywhere, their lines are taken for vertical ones. */
const squareLanguages = ['chi_sim', 'chi_tra', 'jpn', 'kor'];

/** Level of text lines in Tesseract's iterators. */
const textLine = 2;

/**
 * Ways to tell ink from paper. `global` (Otsu's) compares with one shade: it reads light text on dark areas, but parts in the shade turn
 * black. `local` (Sauvola's) compares with the surroundings of each pixel: it reads parts in the shade, but loses dark areas.
 */
const thresholdings = { global: '0', local: '2' };

export type Thresholding = keyof typeof thresholdings;

/** Tesseract's WebAssembly module, with the data of some languages. */
export interface Engine {
  core: Core;
  memory: WebAssembly.Memory;
  /** Recognizers that were loaded, by their languages. */
  loaded: Map<string, TessBaseAPI>;
  /** True once the memory could not grow. Tesseract then takes good images for damaged ones. */
  isOutOfMemory: boolean;
  /** Called with the progress on an image, in percent. */
  onPercent(percent: number): void;
}

/**
 * Maximum growth of Tesseract's memory at once, in pages of 64 KiB: 320 MiB. The largest images, 40
 * megapixels of eight bytes in one strip, need 305. Only a header that lies asks for more.
 */
const maxGrowthPages = 5_120;

/** Returns the exported memory of Tesseract, and calls back if it cannot grow, which Tesseract itself hides. */
function watchMemory({ exports }: WebAssembly.Instance, onExhausted: () => void): WebAssembly.Memory {
  const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory);
  if (!memory) throw new Error('Tesseract exports no memory');
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (pages > maxGrowthPages) throw new RangeError('The image would take more than 320 MiB at once'); // on any machine
    try {
      return grow(pages);
    } catch (error) {
      onExhausted();
      throw error;
    }
  };
  return memory;
}

/**
 * Starts the core of tesseract.js in this thread. tesseract.js itself would start a worker from files that a bundle does not contain.
 * Always uses the SIMD build, so that every processor finds the same text.
 */
export async function startEngine(): Promise<Engine> {
  const binary = await readPackageData('tesseract.js-core', 'tesseract-core-simd.wasm');
  const { default: startCore } = await import('tesseract.js-core/tesseract-core-simd.js');
  const { promise: instantiated, resolve, reject } = Promise.withResolvers<WebAssembly.Instance>();
  const started = startCore({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(binary, imports).then(({ instance }) => {
        resolve(instance);
        done(instance);
      }, reject);
      return {};
    },
    print: () => {},
    printErr: () => {},
    TesseractProgress: (percent) => engine.onPercent(percent),
  });
  const memory = watchMemory(await instantiated, () => {
    engine.isOutOfMemory = true;
  });
  const engine: Engine = { core: await started, memory, loaded: new Map(), isOutOfMemory: false, onPercent: () => {} };
  return engine;
}

async function createRecognizer({ core }: Engine, languages: string[]): Promise<TessBaseAPI> {
  const names = languages.join('+');
  for (const name of languages) {
    const packed = await readPackageData(`@tesseract.js-data/${name}`, '4.0.0_best_int', `${name}.traineddata.gz`);
    core.FS.writeFile(`${name}.traineddata`, await promisify(gunzip)(packed));
  }
  const api = new core.TessBaseAPI();
  const kind = names === 'osd' ? recognizers.orientation : recognizers.lines;
  if (api.Init(null, names, kind) !== 0) throw new Error(`Tesseract cannot load its data of ${names}`);
  const isSquare = languages.some((name) => squareLanguages.includes(name));
  api.SetVariable('tessedit_pageseg_mode', isSquare ? layouts.singleColumn : layouts.anywhere);
  return api;
}

/**
 * Returns a recognizer for languages, which are names of Tesseract's data, or for `osd`, which detects orientation and script. Throws
 * OcrFailed.
 */
export async function loadRecognizer(engine: Engine, languages: string[]): Promise<TessBaseAPI> {
  const names = languages.join('+');
  const existing = engine.loaded.get(names);
  if (existing) return existing;
  const api = await createRecognizer(engine, languages).catch((error) => {
    throw new OcrFailed(error);
  });
  engine.loaded.set(names, api);
  return api;
}

/** Decodes an image file into a recognizer. Throws Unreadable, also for too many pixels: the header of the file may have said less. */
export function loadImage({ core }: Engine, api: TessBaseAPI, file: Uint8Array, orientation = 1, angle = 0): void {
  core.FS.writeFile('/input', file);
  if (api.SetImageFile(orientation, angle) !== 0) throw new Unreadable('damaged');
  const picture = api.GetInputImage();
  checkPixels(picture.get_w(), picture.get_h());
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

/** Returns the shades of grey that the pixels of an image with at most 8 bits stand for. */
function listShades({ core, memory }: Engine, picture: Pix): number[] {
  const depth = picture.get_d();
  const palette = picture.get_colormap();
  if (core.getPointer(palette) === 0) {
    const white = 2 ** depth - 1;
    return Array.from({ length: white + 1 }, (_, value) => (255 * (depth === 1 ? 1 - value : value)) / white);
  }
  const colors = new Uint8Array(memory.buffer, palette.get_array(), 4 * palette.get_n());
  return Array.from({ length: palette.get_n() }, (_, i) => {
    const [blue = 0, green = 0, red = 0] = colors.subarray(4 * i);
    return toGrey(red, green, blue);
  });
}

/** Returns the image of a recognizer in grey. */
export function getGreyImage(engine: Engine, api: TessBaseAPI): GreyImage {
  const picture = api.GetInputImage();
  const [width, height, depth] = [picture.get_w(), picture.get_h(), picture.get_d()];
  const shades = depth <= 8 ? listShades(engine, picture) : [];
  const bytes = new Uint8Array(engine.memory.buffer, picture.get_data(), picture.get_wpl() * 4 * height);
  const pixels = new Uint8Array(width * height);
  // WebAssembly stores the lowest byte of a word first, and Leptonica the first pixel highest.
  const readByte = (at: number) => bytes[at ^ 3] ?? 0;
  for (let y = 0, at = 0; y < height; y++) {
    const row = y * picture.get_wpl() * 4;
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const start = row + (bit >> 3);
      if (depth <= 8) pixels[at++] = shades[(readByte(start) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)] ?? 255;
      else if (depth === 16) pixels[at++] = readByte(start);
      else pixels[at++] = toGrey(readByte(start), readByte(start + 1), readByte(start + 2));
    }
  }
  return { width, height, pixels };
}

/** Sets how ink is told from paper, and drops what was found in another way. */
export function setThresholding(api: TessBaseAPI, thresholding: Thresholding): void {
  api.SetVariable('thresholding_method', thresholdings[thresholding]);
  const picture = api.GetInputImage();
  api.SetRectangle(0, 0, picture.get_w(), picture.get_h());
}

/** Returns the ink that is found in the image of a recognizer: one bit per pixel, in words of 32. Throws Unreadable. */
function findInk({ core, memory }: Engine, api: TessBaseAPI, thresholding: Thresholding): Uint32Array {
  setThresholding(api, thresholding);
  const ink = api.GetThresholdedImage();
  if (core.getPointer(ink) === 0) throw new Unreadable('damaged');
  const words = new Uint32Array(memory.buffer, ink.get_data(), ink.get_wpl() * ink.get_h()).slice();
  const holder = core._malloc(4);
  new DataView(memory.buffer).setUint32(holder, core.getPointer(ink), true);
  core._pixDestroy(holder);
  core._free(holder);
  return words;
}

/** Share of an image that both ways of thresholding may see as opposites. Photos in the shade and dark screens have more. */
const maxOppositeShare = 0.05;

/** Returns the ways of thresholding that an image needs: both, if they differ in more than the edges of letters. */
export function chooseThresholdings(engine: Engine, api: TessBaseAPI): Thresholding[] {
  const [global, local] = [findInk(engine, api, 'global'), findInk(engine, api, 'local')];
  const opposite = global.reduce((count, word, i) => count + Number((word ^ (local[i] ?? 0)) === -1), 0);
  return opposite > maxOppositeShare * global.length ? ['global', 'local'] : ['global'];
}

/** Confidence of a word, in percent, from which it is certain. */
const certainConfidence = 80;

/** Words that a recognizer found. */
export interface FoundWords {
  /** Number of letters and digits in certain words. */
  certainLetters: number;
  /** Mean confidence of the words that have letters or digits, in percent; 0 without any. Lines and stains are no words. */
  confidence: number;
}

/** Measures how sure a recognizer is of its words. */
export function measureWords(api: TessBaseAPI): FoundWords {
  let [certainLetters, total, count] = [0, 0, 0];
  for (const row of api.GetTSVText(0).split('\n')) {
    const [confidence = '', text = ''] = row.split('\t').slice(10);
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
    if (letters === 0) continue;
    total += Number(confidence);
    count++;
    if (Number(confidence) >= certainConfidence) certainLetters += letters;
  }
  return { certainLetters, confidence: count > 0 ? total / count : 0 };
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
  const [width, height] = [picture.get_w(), picture.get_h()];
  const factor = Math.min(3, Math.floor(findLargestFactor(width, height, detectablePixels)));
  if (factor > 1) loadImage(engine, api, toPgm(enlarge(getGreyImage(engine, api), factor)));
  const results = new engine.core.OSResults();
  if (!api.DetectOS(results)) return undefined;
  const { orientation_id, oconfidence, script_id } = results.best_result;
  return {
    quarterTurns: oconfidence < minOrientationConfidence ? 0 : (4 - orientation_id) % 4,
    script: results.unicharset.get_script_from_script_id(script_id),
  };
}
