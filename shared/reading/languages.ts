/** Language that OCR can read. */
interface Language {
  /** Name of its data in Tesseract, and of the package `@tesseract.js-data/…`. */
  data: string;
  /** Names of its scripts in Tesseract's script detection, its own first. */
  scripts: readonly string[];
}

const latin = ['Latin', 'Fraktur'];
const chinese = ['Han', 'Japanese', 'Hiragana', 'Katakana'];
const japanese = ['Japanese', 'Hiragana', 'Katakana', 'Han'];

const languages = {
  en: { data: 'eng', scripts: latin },
  de: { data: 'deu', scripts: latin },
  es: { data: 'spa', scripts: latin },
  fr: { data: 'fra', scripts: latin },
  it: { data: 'ita', scripts: latin },
  nl: { data: 'nld', scripts: latin },
  pl: { data: 'pol', scripts: latin },
  pt: { data: 'por', scripts: latin },
  ro: { data: 'ron', scripts: latin },
  tr: { data: 'tur', scripts: latin },
  vi: { data: 'vie', scripts: latin },
  ar: { data: 'ara', scripts: ['Arabic'] },
  el: { data: 'ell', scripts: ['Greek'] },
  he: { data: 'heb', scripts: ['Hebrew'] },
  hi: { data: 'hin', scripts: ['Devanagari'] },
  ja: { data: 'jpn', scripts: japanese },
  ko: { data: 'kor', scripts: ['Korean', 'Hangul'] },
  th: { data: 'tha', scripts: ['Thai'] },
  'zh-Hans': { data: 'chi_sim', scripts: chinese },
  'zh-Hant': { data: 'chi_tra', scripts: chinese },
} satisfies Record<string, Language>;

export type OcrLanguage = keyof typeof languages;

/** Languages that OCR can read, by their code. A deployment has the data of some of them. */
export const ocrLanguages: Record<OcrLanguage, Language> = languages;

/** Codes of all languages that OCR can read. */
export const ocrLanguageCodes = Object.keys(languages) as OcrLanguage[];

/** Languages of a document. */
export interface OcrLanguages {
  /** Languages that its owner names. Undefined if they are to be detected. */
  chosen?: OcrLanguage[] | undefined;
  /** Languages that can be read, the most likely first. */
  available: OcrLanguage[];
}
