import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexDocument } from '../../shared/domain/index-document.ts';
import { getSampleSize } from '../support/sample.ts';

/** Text that has no control characters, which no text file has. */
const text = fc.string({ unit: 'grapheme', maxLength: 50 });
const cell = text.map((value) => `"${value.replaceAll('"', '""')}"`);
const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 20 });

const files: Record<string, fc.Arbitrary<string>> = {
  txt: fc.array(text).map((lines) => lines.join('\n')),
  md: fc.array(text).map((lines) => lines.join('\n\n# ')),
  html: fc.array(text).map((parts) => parts.join('<p><td>')),
  csv: rows.map((lines) => lines.map((cells) => cells.join()).join('\n')),
  json: fc.json({ stringUnit: 'grapheme' }).map((value) => `{"a":"some","b":${value}}`),
};

describe('a text file is indexed whatever it says', () => {
  test.each(Object.entries(files))('if its kind is %s', async (extension, contents) => {
    await fc.assert(
      fc.asyncProperty(contents, async (content) => {
        const bytes = Buffer.from(extension === 'json' ? content : `some\n${content}`);
        const read = await indexDocument(
          bytes,
          { file_name: `a.${extension}`, content_type: '', languages: { available: ['en'] } },
          () => {},
        );
        expect(read).toMatchObject({ chunk_count: expect.any(Number) });
      }),
      { numRuns: getSampleSize(50) },
    );
  });
});
