import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type OcrLanguage, ocrLanguages } from '../../shared/reading/languages.ts';
import { UserError } from '../terminal/user-error.ts';

const packages = join(import.meta.dirname, '../../node_modules');

/** Package files that the parser reads at run time, from the folder `data` next to its bundle. */
const dataFiles = [
  'pdfjs-dist/cmaps',
  'pdfjs-dist/wasm/jbig2.wasm',
  'pdfjs-dist/wasm/openjpeg.wasm',
  'tesseract.js-core/tesseract-core-simd.wasm',
];

const toLanguageFile = (data: string) => `@tesseract.js-data/${data}/4.0.0_best_int/${data}.traineddata.gz`;

/** Returns the file with the data of a language. Throws UserError if its package is not installed. */
function findLanguageFile(language: OcrLanguage): string {
  const { data } = ocrLanguages[language];
  const file = toLanguageFile(data);
  if (existsSync(join(packages, file))) return file;
  throw new UserError(
    `The data to read ${language} in pictures is missing: npm install --save-exact @tesseract.js-data/${data}, or remove the language ` +
      'from knowledgeBases.ocrLanguages in infra/config.ts',
  );
}

/** Copies the parser's data files next to the bundle in `folder`, with those that OCR needs to read some languages. */
export function copyParserData(folder: string, languages: OcrLanguage[]): void {
  for (const file of [...dataFiles, toLanguageFile('osd'), ...languages.map(findLanguageFile)]) {
    cpSync(join(packages, file), join(folder, 'data', file), { recursive: true });
  }
}
