import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KindName } from '../../../shared/reading/media-types.ts';
import { parseFile } from '../../../shared/reading/parse-file.ts';
import { Unreadable } from '../../../shared/reading/unreadable.ts';
import { readSample, toBytes } from '../../support/documents.ts';
import { buildEpub, buildMail, buildOdf, buildPptx, buildXlsx, drawText } from '../../support/office.ts';
import { buildForeignPdf } from '../../support/pdf.ts';
import { getSampleSize } from '../../support/sample.ts';

const samples: [KindName, Uint8Array, runs: number][] = [
  ['pdf', readSample('tax-form.pdf'), 20],
  ['pdf', buildForeignPdf('90ms-RKSJ-H', 'Japan1', '93fa967b8cea'), 50],
  ['docx', readSample('footnotes.docx'), 50],
  ['pptx', buildPptx([`<a:tbl><a:tr><a:tc>${drawText('a')}</a:tc></a:tr></a:tbl>`]), 50],
  ['xlsx', buildXlsx('<row><c r="A1"><v>1</v></c><c t="b"><v>1</v></c></row>'), 50],
  ['odt', buildOdf('text', '<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>'), 50],
  [
    'ods',
    buildOdf(
      'spreadsheet',
      '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>',
    ),
    50,
  ],
  ['odp', buildOdf('presentation', '<draw:page><text:p>a</text:p></draw:page>'), 50],
  ['epub', buildEpub(['<p>a</p>']), 50],
  ['rtf', toBytes("{\\rtf1\\ansicpg1251{\\fonttbl{\\f0\\fcharset2 A;}}{\\b a\\'e4\\u8364?}\\par b\\cell}"), 300],
  ['eml', buildMail('From: a', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'a', '--b--'), 300],
  ['tiff', readSample('lines.tiff'), 50],
  ['jpeg', readSample('lines-turned.jpg'), 50],
  ['webp', readSample('lines.webp'), 50],
  ['html', toBytes('<table><tr><td>a<td>b<tr></table><ol><li>c</ol><pre>d</pre><script>e</script>'), 300],
  ['csv', toBytes('a,b\n1,"2\n3"\n"4""",5'), 300],
  ['json', toBytes('{"a":[1,{"b":"c"}],"d":null}'), 300],
];

/** Checks that a file has pages with text, or is unreadable for a reason. Throws any other error. */
async function checkOutcome(bytes: Uint8Array, name: KindName): Promise<void> {
  try {
    const { pages } = await parseFile(
      bytes,
      { name, mediaType: '' },
      { ocr: async () => ({ text: 'seen', confidence: 9 }) },
    );
    expect(pages.some(({ text }) => text.trim())).toBe(true);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    expect(error.message).toMatch(/^[A-Z].{20,}/);
  }
}

describe('any file has pages or a reason', () => {
  const unhandled: unknown[] = [];
  const recordRejection = (reason: unknown) => unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', recordRejection));
  afterAll(() => {
    process.off('unhandledRejection', recordRejection);
    expect(unhandled).toEqual([]);
  });

  test.each(samples)('if it is a truncated or damaged %s (%#)', async (name, bytes, numRuns) => {
    const at = fc.nat(bytes.length - 1);
    const damage = fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(damage, fc.option(at), async (changes, end) => {
        const damaged = bytes.slice(0, end ?? bytes.length);
        for (const [i, byte] of changes) if (i < damaged.length) damaged[i] = byte;
        await checkOutcome(damaged, name);
      }),
      { numRuns: getSampleSize(numRuns) },
    );
  });

  test('if it is random bytes of any kind', async () => {
    const names = [...new Set(samples.map(([name]) => name))];
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...names), checkOutcome), {
      numRuns: getSampleSize(300),
    });
  });
});
