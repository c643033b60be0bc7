import { unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { catchReason, parseAs, parseText, readSample, toBytes } from '../../support/documents.ts';
import { buildDocx as buildOffice, buildRelations } from '../../support/office.ts';

const parts = unzipSync(readSample('tables.docx'));
const buildDocx = (document: Uint8Array) => zipSync({ ...parts, 'word/document.xml': document });
const buildDocument = (xml: string) =>
  toBytes(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${xml}</w:body></w:document>`,
  );

/** Zip bomb that unpacks to more than a thousand times its size. */
const bomb = buildDocx(new Uint8Array(101_000_000));

describe('a DOCX', () => {
  test('has its tables, a row per line', async () => {
    expect(await parseText('a.docx', readSample('tables.docx'))).toBe(
      'Above\n\nTop left | Top right\nBottom left | Bottom right\n\nBelow',
    );
  });

  test('has its footnotes', async () => {
    expect(await parseText('a.docx', readSample('footnotes.docx'))).toBe(
      'Ouch[1].[2]\n\n1. A tachyon walks into a bar.\n\n2. Fin.',
    );
  });

  test('has its headings', async () => {
    const xml =
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p><w:p><w:r><w:t>Text</w:t></w:r></w:p>';
    expect(await parseText('a.docx', buildDocx(buildDocument(xml)))).toBe('Head\n\nText');
  });

  test('has its table of contents with fields in each other, and its citations with long instructions', async () => {
    const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const drawField = (instruction: string, result: string) =>
      `${mark('begin')}<w:r><w:instrText>${instruction}</w:instrText></w:r>${mark('separate')}${result}${mark('end')}`;
    const drawRun = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
    const entry = `<w:p>${drawField('HYPERLINK \\l "a"', `${drawRun('Part ')}${drawField('PAGEREF a', drawRun('7'))}`)}</w:p>`;
    const contents = `${mark('begin')}<w:r><w:instrText>TOC</w:instrText></w:r>${mark('separate')}${entry.repeat(500)}${mark('end')}`;
    const citation = `<w:p>${drawField(`ADDIN ZOTERO_ITEM ${'word '.repeat(10_000)}`, drawRun('(Ito)'))}</w:p>`;
    const text = await parseText('a.docx', buildDocx(buildDocument(`<w:p>${contents}</w:p>${citation.repeat(50)}`)));
    expect(text?.match(/Part 7/g)).toHaveLength(500);
    expect(text?.match(/\(Ito\)/g)).toHaveLength(50);
  });

  test('is rejected before it unpacks to more than 100 MB', async () => {
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await catchReason(parseAs('a.docx', bomb))).toBe('too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  test('is rejected for millions of empty paragraphs before they take memory', async () => {
    const before = process.memoryUsage().heapTotal;
    expect(await catchReason(parseAs('a.docx', buildDocx(buildDocument('<w:p/>'.repeat(2_000_000)))))).toBe(
      'too_large',
    );
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(500_000_000);
  });

  test('is too large, not damaged, if its repeated footnote makes a longer text than V8 can hold', async () => {
    const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const note = `<w:footnotes ${namespace}><w:footnote w:id="1"><w:p><w:r><w:t>${'x'.repeat(1_000_000)}</w:t></w:r></w:p></w:footnote></w:footnotes>`;
    const body = `<w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(600)}</w:p>`;
    const bytes = buildOffice(body, {
      'word/_rels/document.xml.rels': buildRelations(['footnotes', 'footnotes.xml']),
      'word/footnotes.xml': note,
    });
    expect(await catchReason(parseAs('a.docx', bytes))).toBe('too_large');
  });

  test('is damaged if it declares a false unpacked size', async () => {
    const forged = Buffer.from(bomb);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(101_000_000);
    for (let at = forged.indexOf(size); at >= 0; at = forged.indexOf(size)) forged.writeUInt32LE(1_000, at);
    expect(await catchReason(parseAs('a.docx', forged))).toBe('damaged');
  });

  test.each([
    ['tables', '<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>'],
    ['hyperlinks', '<w:hyperlink w:anchor="a">', '</w:hyperlink>'],
    ['insertions', '<w:ins>', '</w:ins>'],
  ])('is too deep if %s are nested 10,000 times, not damaged', async (_, open, close) => {
    const xml = `${open.repeat(10_000)}<w:p><w:r><w:t>x</w:t></w:r></w:p>${close.repeat(10_000)}`;
    expect(await catchReason(parseAs('a.docx', buildDocx(buildDocument(xml))))).toBe('too_deep');
  });

  test.each([
    ['damaged', toBytes('<w:document')],
    ['damaged', buildDocument('<w:p><w:r><w:t>'.repeat(50_000))],
    ['no_text', buildDocument('')],
  ])('is rejected as %s', async (reason, document) => {
    expect(await catchReason(parseAs('a.docx', buildDocx(document)))).toBe(reason);
  });

  test('is damaged if it is truncated', async () => {
    expect(await catchReason(parseAs('a.docx', readSample('tables.docx').subarray(0, 9_000)))).toBe('damaged');
  });
});
