import { cpSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Files of packages that `shared/reading` reads when it runs, as `shared/reading/data.ts` looks for them: in `data`
 * beside the bundle. `ocr` are those of `ocr.ts`, which a function without OCR does not need.
 */
const files = {
  reading: ['pdfjs-dist/cmaps', 'pdfjs-dist/wasm/jbig2.wasm', 'pdfjs-dist/wasm/openjpeg.wasm'],
  ocr: ['tesseract.js-core/tesseract-core-simd-lstm.wasm', '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'],
};

/** Copies the data that a function needs beside its bundle, which stands in `folder`. */
export function copyReadingData(folder: string, { ocr }: { ocr: boolean }): void {
  for (const file of [...files.reading, ...(ocr ? files.ocr : [])]) {
    cpSync(join(import.meta.dirname, '../node_modules', file), join(folder, 'data', file), { recursive: true });
  }
}
