import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectKind } from '../../../shared/reading/kind.ts';
import { parseFile } from '../../../shared/reading/parse-file.ts';
import { readSample } from '../../support/documents.ts';

/** Words of the documents that other programs wrote from one text. The last is a footnote. */
const words: Record<string, string[]> = {
  visit: ['Opening', 'Friday', 'insurance', 'Whitening', '240', 'Größere', 'cinq', 'holidays'],
  prices: ['Whitening', '240', 'Größe', '1234.5'],
};

const names = readdirSync('test/data/documents').filter((name) => /^(visit|prices)/.test(name));

test.each(names)('%s has all words that its program wrote', async (name) => {
  const bytes = readSample(name);
  const kind = await detectKind(bytes, { fileName: name });
  if (!kind) throw new Error(`${name} is of no kind`);
  const { pages, warnings } = await parseFile(bytes, kind);
  const text = pages.map((page) => page.text).join('\n');
  for (const word of words[name.replace(/[-.].*/, '')] ?? []) expect(text).toContain(word);
  expect(warnings.map(({ type }) => type)).not.toContain('characters_damaged');
});

test('documents of other programs have every kind of text and of Office', () => {
  const endings = new Set(names.map((name) => name.split('.').at(-1)));
  expect([...endings].sort()).toEqual('csv eml epub html json md odp ods odt pptx rtf txt xlsx'.split(' '));
});
