import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openArchive } from '../../../shared/reading/archive.ts';
import { cpuTimeSince } from '../../support/cpu-time.ts';
import { catchReason, parseAs, parseText, parseWarnings, toBytes } from '../../support/documents.ts';
import {
  buildDocx,
  buildEpub,
  buildMail,
  buildOdf,
  buildPptx,
  buildRelations,
  buildXlsx,
  buildZip,
  drawText,
} from '../../support/office.ts';

const zeros = new Uint8Array(101_000_000);
const chapter = 'OEBPS/text/chapter 0.xhtml';

/** Definitions of entities that would expand to a billion words. */
const entities = `<!DOCTYPE a [<!ENTITY e0 "lol">${Array.from(
  { length: 9 },
  (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
).join('')}]>`;

const files = {
  'a.xlsx': buildXlsx('<row><c t="str"><v>word</v></c></row>'),
  'a.pptx': buildPptx([drawText('word')]),
  'a.odt': buildOdf('text', '<text:p>word</text:p>'),
  'a.ods': buildOdf(
    'spreadsheet',
    '<table:table-row><table:table-cell><text:p>word</text:p></table:table-cell></table:table-row>',
  ),
  'a.odp': buildOdf('presentation', '<draw:page><text:p>word</text:p></draw:page>'),
  'a.epub': buildEpub(['<p>word</p>']),
};

describe('a small archive', () => {
  test.each([
    ['a.xlsx', buildXlsx('', { 'xl/sharedStrings.xml': zeros })],
    ['a.pptx', buildPptx([''], { 'ppt/slides/slide1.xml': zeros })],
    ['a.odt', buildOdf('text', '', { 'content.xml': zeros })],
    ['a.epub', buildEpub([''], { [chapter]: zeros })],
  ])('is rejected before it unpacks to more than 100 MB: %s', async (name, bomb) => {
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().arrayBuffers;
    expect(await catchReason(parseAs(name, bomb))).toBe('too_large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50_000_000);
  });

  test('is rejected if more than 100 MB are stored in it under a false size', () => {
    const bytes = zipSync({ a: zeros }, { level: 0 });
    const view = new DataView(bytes.buffer);
    const directory = view.getUint32(bytes.length - 6, true);
    view.setUint32(directory + 24, 0, true);
    expect(() => openArchive(bytes).unzip(() => true)).toThrow('100 MB');
  });

  test('is rejected if it has more than 20,000 entries', async () => {
    const entries = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`e${i}`, '']));
    const odt = buildZip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>', ...entries });
    expect(await catchReason(parseAs('a.odt', odt))).toBe('too_complex');
  });

  test.each(Object.entries(files))('has its text, or is damaged if it is truncated: %s', async (name, bytes) => {
    expect(JSON.stringify(await parseAs(name, bytes))).toContain('word');
    expect(await catchReason(parseAs(name, bytes.subarray(0, bytes.length - 30)))).toBe('damaged');
  });

  test.each([
    ['a.odt', buildZip({ mimetype: 'application/vnd.oasis.opendocument.text', 'word/document.xml': '<a/>' })],
    ['a.epub', buildZip({ mimetype: 'application/epub+zip', 'content.xml': '<a/>' })],
    [
      'a.xlsx',
      buildZip({
        '[Content_Types].xml':
          '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        'ppt/presentation.xml': '<a/>',
      }),
    ],
  ])('is damaged if it has another content than it says: %s', async (name, bytes) => {
    expect(await catchReason(parseAs(name, bytes))).toBe('damaged');
  });

  test('is not unpacked inside another', async () => {
    const outer = buildOdf('text', '<text:p>outer</text:p>', { 'Object 1/inner.odt': files['a.odt'] });
    expect(await parseText('a.odt', outer)).toBe('outer');
  });
});

describe('XML', () => {
  test.each([
    ['a.odt', buildOdf('text', '', { 'content.xml': `${entities}<a><text:p>&e9;</text:p></a>` })],
    ['a.epub', buildEpub([''], { [chapter]: `${entities}<p>&e9;</p>` })],
    ['a.pptx', buildPptx([''], { 'ppt/slides/slide1.xml': `${entities}<a>${drawText('&e9;')}</a>` })],
  ])('never expands entities: %s', async (name, bytes) => {
    const [page] = await parseAs(name, bytes);
    expect(page?.text).toContain('&e9;');
    expect(page?.text.length).toBeLessThan(1_000);
  });

  test('never loads an entity from a file', async () => {
    const external = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/hostname">]><a><text:p>&e;</text:p></a>';
    expect(await parseText('a.odt', buildOdf('text', '', { 'content.xml': external }))).toContain('&e;');
  });

  test.each([
    ['a.odt', buildOdf('text', '<text:section>'.repeat(100_000))],
    ['a.pptx', buildPptx(['<p:grpSp>'.repeat(100_000)])],
    ['a.xlsx', buildXlsx('<row>'.repeat(100_000))],
    ['a.epub', buildEpub(['<div>'.repeat(100_000)])],
  ])('is too deep if it is nested 100,000 times: %s', async (name, bytes) => {
    expect(await catchReason(parseAs(name, bytes))).toBe('too_deep');
  });
});

describe('a sheet', () => {
  test('has a value once in each column, so that no row repeats a long name', async () => {
    const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const names = `<row>${cell('A1', 'name'.repeat(1_000_000))}${cell('B1', 'b')}</row>`;
    const text = await parseText(
      'a.xlsx',
      buildXlsx(`${names}<row>${cell('A2', 'x').repeat(200)}${cell('B2', 'y')}</row>`),
    );
    expect(text).toMatch(/^(?:name)+: x \| b: y$/m);
  });

  test('is rejected if its cells repeat a long text beyond 10 MB', async () => {
    const shared = `<sst><si><t>${'long '.repeat(1_000_000)}</t></si></sst>`;
    const cells = '<c t="s"><v>0</v></c>'.repeat(10_000);
    const xlsx = buildXlsx(`<row>${cells}</row>`, { 'xl/sharedStrings.xml': shared });
    expect(await catchReason(parseAs('a.xlsx', xlsx))).toBe('too_large');
    const cell = `<table:table-cell table:number-columns-repeated="16384"><text:p>${'long '.repeat(1_000)}</text:p></table:table-cell>`;
    const ods = buildOdf('spreadsheet', `<table:table-row>${cell}</table:table-row>`);
    expect(await catchReason(parseAs('a.ods', ods))).toBe('too_large');
  });

  test('has the cells of a row once, also of one around another row', async () => {
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const inner = `<table:table-row>${cell('1')}${cell('2')}</table:table-row>`;
    const ods = buildOdf('spreadsheet', `<table:table-row>${cell('3')}${cell('4')}${inner}</table:table-row>`);
    expect(await parseText('a.ods', ods)).toBe('3 | 4\n1 | 2');
    const wide = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>';
    const rows = `<table:table-row>${wide}<table:table-row/></table:table-row>`.repeat(1_000);
    expect(await catchReason(parseAs('a.ods', buildOdf('spreadsheet', rows)))).toBe('too_large');
  });

  test('has the text of a drawing once, however many tables are around it', async () => {
    const drawing = `<table:shapes><text:p>drawn</text:p></table:shapes>`;
    const nested = '<table:table>'.repeat(1_900) + drawing + '</table:table>'.repeat(1_900);
    const outer = `<table:table>${drawing}<table:table/></table:table>`;
    expect(await parseText('a.ods', buildOdf('spreadsheet', outer))).toBe('drawn');
    expect((await parseText('a.ods', buildOdf('spreadsheet', nested)))?.match(/drawn/g)).toHaveLength(1);
  });

  test('takes no memory for columns and rows that are far away or repeated', async () => {
    const far = '<row><c r="XFD1"><v>1</v></c><c r="ZZZ1"><v>2</v></c></row>'.repeat(1_000);
    expect(await parseText('a.xlsx', buildXlsx(far))).toBe(`Prices\n\n${'1\n'.repeat(1_000).trim()}`);
    const repeated =
      '<table:table-row table:number-rows-repeated="1e300"><table:table-cell table:number-columns-repeated="1e300"/><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>';
    expect(await catchReason(parseAs('a.ods', buildOdf('spreadsheet', repeated)))).toBe('no_text');
  });

  test('ignores a count of repeated columns that is no whole number from 1', async () => {
    const blank = (count: string) => `<table:table-cell table:number-columns-repeated="${count}"/>`;
    const cells = `${['-1000000', '-Infinity', '0.5', 'x', ''].map(blank).join('')}<table:table-cell table:number-columns-repeated="1e9"><text:p>x</text:p></table:table-cell>`;
    const ods = buildOdf('spreadsheet', `<table:table-row>${cells}</table:table-row>`);
    expect((await parseText('a.ods', ods))?.split(' | ')).toHaveLength(16_384 - 5);
  });
});

describe('RTF', () => {
  test('is too deep if its groups are nested a million times', async () => {
    expect(await catchReason(parseAs('a.rtf', toBytes(`{\\rtf1 ${'{'.repeat(1_000_000)}`)))).toBe('too_deep');
  });

  test.each([
    ['binary data that claims to be long', '{\\rtf1 a\\bin9999999999 b}', 'a'],
    ['more ends than groups', `{\\rtf1 a${'}'.repeat(100_000)}`, 'a'],
    ['numbers without limits', '{\\rtf1\\ansicpg99999\\uc9999999999 a\\u99999999 \\f-99 }', 'a'],
    ['a backslash at its end', '{\\rtf1 a}\\', 'a'],
  ])('is read in spite of %s', async (_, rtf, text) => {
    expect((await parseText('a.rtf', toBytes(rtf)))?.slice(0, 1)).toBe(text);
  });
});

describe('an e-mail', () => {
  const header = ['From: a@example.com', 'To: b@example.com', 'MIME-Version: 1.0'];

  test('reads ten messages in each other, and names the rest as an attachment', async () => {
    const nested = Array.from({ length: 1_000 }, () => [...header, 'Content-Type: message/rfc822', '']).flat();
    const mail = buildMail(...nested, ...header, '', 'core');
    expect(await parseText('a.eml', mail)).not.toContain('core');
    expect(await parseWarnings('a.eml', mail)).toMatchObject([{ type: 'parts_left_out' }]);
  });

  test('is too deep if a thousand parts are in each other', async () => {
    const nested = Array.from({ length: 1_000 }, (_, i) => [
      `Content-Type: multipart/mixed; boundary=b${i}`,
      '',
      `--b${i}`,
    ]).flat();
    expect(await catchReason(parseAs('a.eml', buildMail(...header, ...nested, '', 'core')))).toBe('too_deep');
  });

  test('is read if a line of it looks like an endless header', async () => {
    const mail = buildMail(...header, '', 'core', `content-type: text/${'x'.repeat(12_000_000)}`);
    expect(await parseText('a.eml', mail)).toContain('core');
  });

  test('is too large if its header has more than 2 MB', async () => {
    const mail = buildMail(...header, 'X-Spam: 1\r\n'.repeat(300_000).trim(), '', 'core');
    expect(await catchReason(parseAs('a.eml', mail))).toBe('too_large');
  });

  test('has warnings of a bounded length, whatever its attachments are named', async () => {
    const attachment = ['--b', `Content-Disposition: attachment; filename="${'n'.repeat(5_000)}"`, '', 'x'];
    const mail = buildMail(
      ...header,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...Array.from({ length: 100 }, () => attachment).flat(),
      '--b--',
    );
    const [warning] = await parseWarnings('a.eml', mail);
    expect(warning?.msg.length).toBeLessThan(400);
    expect(warning?.msg).toContain('and 95 more');
  });

  test('has a well-formed warning if the name of an attachment is cut within a character', async () => {
    const name = Buffer.from(`${'n'.repeat(39)}😀`).toString('base64');
    const mixed = [...header, 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'Text'];
    const attachment = ['--b', `Content-Disposition: attachment; filename="=?utf-8?B?${name}?="`, '', 'x', '--b--'];
    const [warning] = await parseWarnings('a.eml', buildMail(...mixed, ...attachment));
    expect(warning?.msg).toContain('nnn');
    expect(warning?.msg.isWellFormed()).toBe(true);
  });
});

describe('a file takes time in proportion to its size', () => {
  const sheet = '<row><c s="0"><v>1</v></c></row>';
  const numFmt = `<numFmt numFmtId="200" formatCode="${'['.repeat(2_000_000)}"/>`;
  const repeat = (count: number, toText: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => toText(i)).join('');

  const instruct = (text: string) => `<w:instrText>${text}</w:instrText>`;
  const drawField = (instructions: string, separators = 1) =>
    `<w:r><w:fldChar w:fldCharType="begin"/>${instructions}${'<w:fldChar w:fldCharType="separate"/>'.repeat(separators)}</w:r>`;

  // Each takes less than 0.5 s. Time in proportion to the square of the size would be over 25 s.
  test.each([
    ['if its cells are in no row', 'a.rtf', `{\\rtf1 a${'\\cell '.repeat(500_000)}b}`],
    ['if it has separators of cells as text', 'a.rtf', `{\\rtf1 a${' |'.repeat(500_000)}b}`],
    ['if a number is long', 'a.json', `["a", ${'1'.repeat(500_000)}x]`],
    ['if spaces follow many quotes', 'a.csv', `a,b\n"${'"x'.repeat(60_000)}${' '.repeat(60_000)}\n`],
    ['if a format of numbers has many brackets', 'a.xlsx', buildXlsx(sheet, { 'xl/styles.xml': `<a>${numFmt}</a>` })],
    [
      'if it names many missing sheets',
      'a.xlsx',
      buildXlsx(sheet, {
        'xl/workbook.xml': `<workbook>${repeat(60_000, () => '<sheet name="a" r:id="none"/>')}</workbook>`,
        'xl/_rels/workbook.xml.rels': buildRelations(
          ...Array.from({ length: 60_000 }, (): [string, string] => ['worksheet', 'missing.xml']),
        ),
      }),
    ],
    ['if an instruction has many spaces', 'a.docx', buildDocx(drawField(instruct(`${' '.repeat(300_000)}x`)))],
    ['if an instruction has many pieces', 'a.docx', buildDocx(drawField(instruct('x').repeat(80_000), 80_000))],
    ['if it has many open fields', 'a.docx', buildDocx(drawField(instruct('HYPERLINK "a"')).repeat(60_000))],
    [
      'if it has many open fields in a false encoding, with another prefix',
      'a.docx',
      buildDocx('', {
        'word/document.xml': `<?xml version="1.0" encoding="utf-16le"?><z:document xmlns:z="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><z:body>${'<z:r><z:fldChar z:fldCharType="begin"/></z:r>'.repeat(100_000)}</z:body></z:document>`,
      }),
    ],
    ['if it has many unknown elements', 'a.docx', buildDocx(repeat(40_000, (i) => `<w:x${i}/>`))],
    [
      'if it has many unknown styles',
      'a.docx',
      buildDocx(repeat(25_000, (i) => `<w:p><w:pPr><w:pStyle w:val="s${i}"/></w:pPr></w:p>`)),
    ],
    ['if a line has many carriage returns', 'a.eml', `From: a\nTo: b\n\n${'content-type:text/\r'.repeat(60_000)}`],
    [
      'if its cells share a long blank text',
      'a.xlsx',
      buildXlsx('<row><c t="s"><v>0</v></c></row>'.repeat(20_000), {
        'xl/sharedStrings.xml': `<sst><si><t>${' '.repeat(5_000_000)}</t></si></sst>`,
      }),
    ],
    [
      'if its rows repeat a blank value',
      'a.ods',
      buildOdf(
        'spreadsheet',
        '<table:table-row><table:table-cell office:value=" " table:number-columns-repeated="16384"/></table:table-row>'.repeat(
          20_000,
        ),
      ),
    ],
    [
      'if many names of sheets mean the same one',
      'a.xlsx',
      buildXlsx('', {
        'xl/workbook.xml': `<workbook>${repeat(300, (i) => `<sheet name="a" r:id="rId${i + 1}"/>`)}</workbook>`,
        'xl/_rels/workbook.xml.rels': buildRelations(
          ...Array.from({ length: 300 }, (_, i): [string, string] => ['worksheet', `/xl/${'./'.repeat(i)}s.xml`]),
        ),
        ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`xl/${'./'.repeat(i)}s.xml`, '<worksheet/>'])),
        'xl/_rels/s.xml.rels': `<Relationships>${'<a/>'.repeat(1_000_000)}</Relationships>`,
      }),
    ],
    [
      'if it names many encrypted chapters',
      'a.epub',
      buildEpub(['<p>a</p>'], {
        'OEBPS/content.opf': `<package>${repeat(50_000, (i) => `<item id="${i}" href="${i}"/><itemref idref="${i}"/>`)}</package>`,
        'META-INF/encryption.xml': `<a>${repeat(50_000, () => '<CipherReference URI="none"/>')}</a>`,
      }),
    ],
    [
      'if its slides share a chart',
      'a.pptx',
      buildPptx(Array<string>(500).fill(drawText('a')), {
        ...Object.fromEntries(
          Array.from({ length: 500 }, (_, i) => [
            `ppt/slides/_rels/slide${i + 1}.xml.rels`,
            buildRelations(['chart', '../chart.xml']),
          ]),
        ),
        'ppt/chart.xml': `<a>${'<b/>'.repeat(500_000)}</a>`,
      }),
    ],
  ])('%s: %s', async (_, name, content) => {
    const bytes = typeof content === 'string' ? toBytes(content) : content;
    const before = process.cpuUsage();
    await parseAs(name, bytes).catch(() => {});
    expect(cpuTimeSince(before)).toBeLessThan(5_000);
  });
});
