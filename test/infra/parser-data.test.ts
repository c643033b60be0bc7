import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyParserData } from '../../infra/bundle/parser-data.ts';
import { environments } from '../../infra/config.ts';
import { ocrLanguages } from '../../shared/reading/languages.ts';

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parser-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('the data of every language that an environment reads is installed, and copied', () => {
  for (const { knowledgeBases } of Object.values(environments)) {
    const folder = createFolder();
    copyParserData(folder, knowledgeBases.ocrLanguages);
    for (const language of knowledgeBases.ocrLanguages) {
      const { data } = ocrLanguages[language];
      expect(existsSync(join(folder, `data/@tesseract.js-data/${data}/4.0.0_best_int/${data}.traineddata.gz`))).toBe(
        true,
      );
    }
  }
});

test('a language without installed data is refused, with the command that installs it', () => {
  expect(() => copyParserData(createFolder(), ['th'])).toThrow('npm install --save-exact @tesseract.js-data/tha');
});
