import { cpSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Package files that the parser reads at run time, from the folder `data` next to its bundle. Only a function with OCR
 * needs `ocr`.
 */
const dataFiles = {
  parser: ['pdfjs-dist/cmaps', 'pdfjs-dist/wasm/jbig2.wasm', 'pdfjs-dist/wasm/openjpeg.wasm'],
  ocr: ['tesseract.js-core/tesseract-core-simd-lstm.wasm', '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'],
};

/** Copies the parser's data files next to the bundle in `folder`. */
export function copyParserData(folder: string, { ocr }: { ocr: boolean }): void {
  for (const file of [...dataFiles.parser, ...(ocr ? dataFiles.ocr : [])]) {
    cpSync(join(import.meta.dirname, '../../node_modules', file), join(folder, 'data', file), { recursive: true });
  }
}
