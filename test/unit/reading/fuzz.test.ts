import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KindName } from '../../../shared/reading/media-types.ts';
import { read } from '../../../shared/reading/read.ts';
import { Unreadable } from '../../../shared/reading/unreadable.ts';
import { bytesOf, sample } from '../../support/documents.ts';
import { foreignPdf } from '../../support/pdf.ts';
import { sampleSize } from '../../support/sample.ts';

const samples: [KindName, Uint8Array, runs: number][] = [
  ['pdf', sample('tax-form.pdf'), 20],
  ['pdf', foreignPdf('90ms-RKSJ-H', 'Japan1', '93fa967b8cea'), 50],
  ['docx', sample('footnotes.docx'), 50],
  ['tiff', sample('lines.tiff'), 50],
  ['jpeg', sample('lines-turned.jpg'), 50],
  ['webp', sample('lines.webp'), 50],
  ['html', bytesOf('<table><tr><td>a<td>b<tr></table><ol><li>c</ol><pre>d</pre><script>e</script>'), 300],
  ['csv', bytesOf('a,b\n1,"2\n3"\n"4""",5'), 300],
  ['json', bytesOf('{"a":[1,{"b":"c"}],"d":null}'), 300],
];

/** Pages with text, or the reason why there are none; any other error is thrown on. */
async function outcomeOf(bytes: Uint8Array, name: KindName): Promise<void> {
  try {
    const pages = await read(bytes, { name, mediaType: '' }, { ocr: async () => 'seen' });
    expect(pages.some(({ text }) => text.trim())).toBe(true);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    expect(error.message).toMatch(/^[A-Z].{20,}/);
  }
}

describe('whatever the bytes are, they have pages or a reason', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', note));
  afterAll(() => {
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test.each(samples)('%s, cut or damaged (%#)', async (name, bytes, numRuns) => {
    const at = fc.nat(bytes.length - 1);
    const damage = fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(damage, fc.option(at), async (changes, end) => {
        const damaged = bytes.slice(0, end ?? bytes.length);
        for (const [i, byte] of changes) if (i < damaged.length) damaged[i] = byte;
        await outcomeOf(damaged, name);
      }),
      { numRuns: sampleSize(numRuns) },
    );
  });

  test('any bytes as any kind', async () => {
    const names = [...new Set(samples.map(([name]) => name))];
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...names), outcomeOf), {
      numRuns: sampleSize(300),
    });
  });
});
