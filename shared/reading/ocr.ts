import type { TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd.js';
import { enlarge, type GreyImage, toPgm, turn } from './grey-image.ts';
import { type OcrLanguage, type OcrLanguages, ocrLanguages } from './languages.ts';
import { findLargestFactor } from './limits.ts';
import {
  chooseThresholdings,
  detectWriting,
  type Engine,
  type FoundWords,
  getGreyImage,
  loadImage,
  loadRecognizer,
  measureLineHeight,
  measureWords,
  setThresholding,
  startEngine,
} from './ocr-engine.ts';
import { sufficientConfidence } from './recognize-page.ts';
import { OcrFailed, Unreadable } from './unreadable.ts';

export interface OcrOptions {
  /** EXIF orientation of the image, from 1 (upright) to 8. */
  orientation: number;
  /** Called at most 100 times per recognition of an image, of which there are at most six. Ends the recognition if it throws. */
  onProgress(): void;
}

/** Text in an image. */
export interface RecognizedText {
  text: string;
  /** Mean certainty of its words, in percent. */
  confidence: number;
}

/** Recognizes the text in a PNG, JPEG, WebP, GIF, BMP or PGM file, or in the first image of a TIFF. Throws Unreadable or OcrFailed. */
export type Ocr = (image: Uint8Array, picture: OcrOptions) => Promise<RecognizedText>;

/** Height of a text line, in pixels, that Tesseract reads well. Text of 12 points has it in a scan at 150 dpi. */
const readableLineHeight = 20;

/** Limit of the pixels of an image that is enlarged. */
const maxEnlargedPixels = 12_000_000;

/** Slope of lines, in radians, beyond which Tesseract misses words. */
const maxSlope = 0.02;

/** Returns the factor by which an image is enlarged, so that its lines are readable. */
function findFactor({ width, height }: GreyImage, lineHeight: number): number {
  const factor = Math.min(3, Math.ceil(readableLineHeight / lineHeight));
  return Math.max(1, Math.min(factor, Math.floor(findLargestFactor(width, height, maxEnlargedPixels))));
}

/** Straightens and enlarges the image of a recognizer, if its lines are too steep or too small. */
function improveImage(engine: Engine, api: TessBaseAPI): void {
  const lineHeight = measureLineHeight(engine, api);
  if (lineHeight === undefined) return;
  const slope = api.GetGradient();
  const isSmall = lineHeight < readableLineHeight;
  const isSteep = Math.abs(slope) > maxSlope;
  if (!isSmall && !isSteep) return;
  const image = getGreyImage(engine, api);
  const factor = findFactor(image, lineHeight);
  loadImage(engine, api, toPgm(enlarge(image, factor)), 1, isSteep ? slope : 0);
}

/** Returns the data that reads languages. */
const toData = (languages: OcrLanguage[]) => languages.map((language) => ocrLanguages[language].data);

/** Returns those of some languages that are written in a script, those that mostly are first. */
function findWrittenIn(script: string, languages: OcrLanguage[]): OcrLanguage[] {
  const getRank = (language: OcrLanguage) => ocrLanguages[language].scripts.indexOf(script);
  return languages.filter((language) => getRank(language) >= 0).toSorted((one, other) => getRank(one) - getRank(other));
}

/** Limit of the languages of one script that are tried together. */
const maxGuesses = 3;

/** Returns the code of the language of some words in lower case, if they tell it. */
type DetectLanguage = (words: string[]) => string | undefined;

/** Matches the spaces that Tesseract puts between Chinese and Japanese characters. */
const ideographSpaces =
  /(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303f\uff00-\uffef]) +(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3000-\u303f\uff00-\uffef])/gu;

/** How a page is read. */
interface Way {
  languages: OcrLanguage[];
  /** Quarter turns, clockwise, before it is read. */
  quarterTurns: number;
}

/**
 * Creates OCR by Tesseract for the pages of one document. It starts in 0.2 s, then blocks the thread for a second or more per page.
 * Reads a page in the way of the page before. If that fails, detects its orientation and script, and then its language, unless it was
 * chosen, by its words.
 */
export function createOcr({ chosen, available }: OcrLanguages, detectLanguage: DetectLanguage): Ocr {
  let started: Promise<Engine> | undefined;
  let way: Way = { languages: chosen ?? available.slice(0, 1), quarterTurns: 0 };

  async function recognize(engine: Engine, file: Uint8Array, orientation: number, { languages, quarterTurns }: Way) {
    const api = await loadRecognizer(engine, toData(languages));
    const loadPage = () => {
      loadImage(engine, api, file, orientation);
      if (quarterTurns > 0) loadImage(engine, api, toPgm(turn(getGreyImage(engine, api), quarterTurns)));
    };
    loadPage();
    const found = chooseThresholdings(engine, api).map((thresholding, i): RecognizedText & FoundWords => {
      if (i > 0) loadPage(); // the way before may have improved it
      setThresholding(api, thresholding);
      improveImage(engine, api);
      if (api.Recognize(null) !== 0) throw new Unreadable('damaged');
      return { text: api.GetUTF8Text().replace(ideographSpaces, ''), ...measureWords(api) };
    });
    return found.reduce((best, other) => (other.certainLetters > best.certainLetters ? other : best));
  }

  async function recognizeBest(engine: Engine, file: Uint8Array, orientation: number): Promise<RecognizedText> {
    let best = await recognize(engine, file, orientation, way);
    const tryWay = async (other: Way) => {
      if (other.quarterTurns === way.quarterTurns && String(other.languages) === String(way.languages)) return;
      const found = await recognize(engine, file, orientation, other);
      if (found.confidence > best.confidence) [best, way] = [found, other];
    };
    if (best.confidence < sufficientConfidence) {
      const writing = await detectWriting(engine, file, orientation);
      const { quarterTurns, script } = writing ?? { ...way, script: '' };
      const isCovered = findWrittenIn(script, way.languages).length > 0;
      const [others, languages] = [findWrittenIn(script, chosen ?? available), way.languages];
      await tryWay({
        languages: isCovered || others.length === 0 ? languages : others.slice(0, maxGuesses),
        quarterTurns,
      });
    }
    const found = detectLanguage(best.text.toLowerCase().match(/\p{L}+/gu) ?? []);
    const language = available.find((one) => one === found);
    if (!chosen && language) await tryWay({ ...way, languages: [language] });
    return best;
  }

  return async (file, { orientation, onProgress }) => {
    started ??= startEngine();
    let engine: Engine | undefined;
    try {
      engine = await started;
      let lastPercent = 0;
      engine.onPercent = (percent) => {
        if (percent > lastPercent) onProgress();
        lastPercent = percent;
      };
      return await recognizeBest(engine, file, orientation);
    } catch (error) {
      started = undefined; // its state is unknown, so the next image gets a new engine
      const isVerdict = error instanceof Unreadable && error.reason !== 'damaged';
      throw engine && (isVerdict || !engine.isOutOfMemory) ? error : new OcrFailed(error);
    }
  };
}
