import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { bytesOf, readAs, reasonOf, sample, textAs } from '../../support/documents.ts';

const parts = unzipSync(sample('tables.docx'));
const docx = (document: Uint8Array) => zipSync({ ...parts, 'word/document.xml': document });
const body = (xml: string) =>
  bytesOf(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${xml}</w:body></w:document>`,
  );

/** Less than a thousandth of what it unpacks to. */
const bomb = docx(new Uint8Array(101_000_000));

describe('a DOCX', () => {
  test('is read with its tables, a row in a line', async () => {
    expect(await textAs('a.docx', sample('tables.docx'))).toBe(
      'Above\n\nTop left | Top right\nBottom left | Bottom right\n\nBelow',
    );
  });

  test('is read with its notes', async () => {
    expect(await textAs('a.docx', sample('footnotes.docx'))).toBe(
      'Ouch[1].[2]\n\n1. A tachyon walks into a bar.\n\n2. Fin.',
    );
  });

  test('is read with its headings', async () => {
    const xml =
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p><w:p><w:r><w:t>Text</w:t></w:r></w:p>';
    expect(await textAs('a.docx', docx(body(xml)))).toBe('Head\n\nText');
  });

  test('that would unpack to more than 100 MB is refused before it is', async () => {
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await reasonOf(readAs('a.docx', bomb))).toBe('too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  test('of millions of empty paragraphs is refused before they take memory', async () => {
    const before = process.memoryUsage().heapTotal;
    expect(await reasonOf(readAs('a.docx', docx(body('<w:p/>'.repeat(2_000_000)))))).toBe('too_large');
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(500_000_000);
  });

  test('that lies about what it unpacks to is damaged', async () => {
    const liar = Buffer.from(bomb);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(101_000_000);
    for (let at = liar.indexOf(size); at >= 0; at = liar.indexOf(size)) liar.writeUInt32LE(1_000, at);
    expect(await reasonOf(readAs('a.docx', liar))).toBe('damaged');
  });

  test.each([
    ['damaged', bytesOf('<w:document')],
    ['damaged', body('<w:p><w:r><w:t>'.repeat(50_000))],
    ['no_text', body('')],
  ])('is refused as %s', async (reason, document) => {
    expect(await reasonOf(readAs('a.docx', docx(document)))).toBe(reason);
  });

  test('nested without end is refused', async () => {
    const deep = body(`${'<w:ins>'.repeat(100_000)}${'</w:ins>'.repeat(100_000)}`);
    expect(await reasonOf(readAs('a.docx', docx(deep)))).toMatch(/damaged|no_text/);
  });

  test('cut short is damaged', async () => {
    expect(await reasonOf(readAs('a.docx', sample('tables.docx').subarray(0, 9_000)))).toBe('damaged');
  });
});
