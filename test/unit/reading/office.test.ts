import { describe, expect, test } from 'vitest';
import { catchReason, parseAs, parseText, parseWarnings, toBytes } from '../../support/documents.ts';
import {
  buildDocx,
  buildEpub,
  buildMail,
  buildOdf,
  buildPptx,
  buildRelations,
  buildXlsx,
  drawText,
} from '../../support/office.ts';

const leftOut = (msg: string) => [{ type: 'parts_left_out', msg: expect.stringContaining(msg) }];

describe('a PPTX', () => {
  test('has a page per slide, in the order of the presentation, with tables and line breaks', async () => {
    const table = `<a:tbl><a:tr><a:tc>${drawText('Tea')}</a:tc><a:tc>${drawText('2 €')}</a:tc></a:tr></a:tbl>`;
    const first = `<p:sp><p:txBody>${drawText('Prices')}<a:p><a:r><a:t>One</a:t></a:r><a:br/><a:r><a:t>two</a:t></a:r></a:p></p:txBody></p:sp>`;
    expect(await parseAs('a.pptx', buildPptx([first, table]))).toEqual([
      { number: 1, text: 'Prices\nOne\ntwo' },
      { number: 2, text: 'Tea | 2 €' },
    ]);
  });

  test('has the notes, comments, diagrams and charts of each slide', async () => {
    const pptx = buildPptx([drawText('Slide')], {
      'ppt/slides/_rels/slide1.xml.rels': buildRelations(
        ['comments', '../comments/comment1.xml'],
        ['notesSlide', '/ppt/notesSlides/notesSlide1.xml'],
        ['diagramData', '../diagrams/data1.xml'],
        ['chart', '../charts/chart1.xml'],
      ),
      'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>Why?</p:text></p:cm></p:cmLst>',
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${drawText('Say this')}</p:notes>`,
      'ppt/diagrams/data1.xml': `<dgm:dataModel>${drawText('Step')}</dgm:dataModel>`,
      'ppt/charts/chart1.xml':
        '<c:chart><c:ser><c:tx><c:f>A1</c:f><c:v>Sales</c:v></c:tx><c:val><c:f>B1</c:f><c:v>1</c:v><c:v>2</c:v></c:val></c:ser></c:chart>',
    });
    expect(await parseAs('a.pptx', pptx)).toEqual([
      { number: 1, text: 'Slide\n\nStep\n\nSales 1 2\n\nSay this\n\nWhy?' },
    ]);
  });

  test('has a warning about its pictures, and about slides without text', async () => {
    const pptx = buildPptx([drawText('Slide'), ''], { 'ppt/media/image1.emf': 'a', 'ppt/media/image2.png': 'b' });
    expect(await parseWarnings('a.pptx', pptx)).toEqual([
      ...leftOut('2 pictures'),
      { type: 'pages_without_text', msg: 'No text was found on 1 of 2 pages: 2' },
    ]);
  });

  test('never follows a link to another file', async () => {
    const external = '<Relationship Id="rId1" Type="a/slide" Target="file:///etc/passwd" TargetMode="External"/>';
    const linked = { 'ppt/_rels/presentation.xml.rels': `<Relationships>${external}</Relationships>` };
    expect(await catchReason(parseAs('a.pptx', buildPptx([drawText('a')], linked)))).toBe('no_text');
    const climbing = { 'ppt/_rels/presentation.xml.rels': buildRelations(['slide', '../../../../etc/passwd']) };
    expect(await catchReason(parseAs('a.pptx', buildPptx([drawText('a')], climbing)))).toBe('no_text');
  });

  test('may have at most 5,000 slides', async () => {
    const ids = '<p:sldId id="1" r:id="rId1"/>'.repeat(5_001);
    const parts = { 'ppt/presentation.xml': `<p:presentation>${ids}</p:presentation>` };
    expect(await catchReason(parseAs('a.pptx', buildPptx([drawText('a')], parts)))).toBe('too_many_pages');
  });
});

describe('an XLSX', () => {
  const rows = `<row><c r="A1" t="s"><v>0</v></c></row>
    <row><c r="A2" t="s"><v>1</v></c><c r="B2" t="inlineStr"><is><t>Price</t></is></c><c r="D2" t="str"><f>"Fr"&amp;"om"</f><v>From</v></c></row>
    <row><c r="A3" t="s"><v>2</v></c><c r="B3"><f>SUM(C1:C9)</f><v>0.30000000000000004</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" s="1"><v>45292</v></c></row>`;
  const parts = {
    'xl/sharedStrings.xml':
      '<sst><si><t>Our prices</t></si><si><t>Name</t></si><si><r><t>Black </t></r><r><t>tea</t></r><rPh><t>no</t></rPh></si></sst>',
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/><numFmt numFmtId="165" formatCode="0.0%"/><numFmt numFmtId="166" formatCode="_-* #,##0.00\\ &quot;€&quot;_-;[Red]($#,##0)"/><numFmt numFmtId="167" formatCode="00000"/><numFmt numFmtId="168" formatCode="[h]:mm"/><numFmt numFmtId="169" formatCode="0;;"/><numFmt numFmtId="170" formatCode="bad&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="11"/>${[166, 167, 168, 169, 170].map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
  };

  test('has a line per row with column names, and the saved values of formulas', async () => {
    expect(await parseText('a.xlsx', buildXlsx(rows, parts))).toBe(
      'Prices\n\nOur prices\nName | Price | From\nName: Black tea | Price: 0.3 | TRUE | From: 2024-01-01',
    );
  });

  test.each([
    [0, '1234.5', '1234.5'],
    [1, '45292', '2024-01-01'],
    [2, '0.255', '25.5%'],
    [3, '45292.75', '2024-01-01 18:00'],
    [4, '0.5', '12:00'],
    [4, '33966.76', '18:14'],
    [5, '198356388', '198356388'],
    [6, '1599.5', '1599.50 €'],
    [6, '-1599.5', '($1600)'],
    [6, '1e300', '1e+300'],
    [7, '123', '00123'],
    [8, '1.5', '36:00'],
    [8, '-1.5', '-1.5'],
    [9, '-7', '-7'],
    [10, '7', '7'],
    [1, '-5', '-5'],
    [1, '1e300', '1e+300'],
    [99, '7', '7'],
  ])('shows numbers as their style does: %i %s', async (style, value, shown) => {
    const row = `<row><c r="A1" s="${style}"><v>${value}</v></c></row>`;
    expect(await parseText('a.xlsx', buildXlsx(row, parts))).toBe(`Prices\n\n${shown}`);
  });

  test('has its comments and text boxes', async () => {
    const more = {
      'xl/worksheets/_rels/sheet1.xml.rels': buildRelations(
        ['drawing', '../drawings/drawing1.xml'],
        ['comments', '../comments1.xml'],
      ),
      'xl/drawings/drawing1.xml': `<xdr:wsDr>${drawText('In a box')}</xdr:wsDr>`,
      'xl/comments1.xml': '<comments><comment ref="A1"><text><r><t>Ask first</t></r></text></comment></comments>',
    };
    expect(await parseText('a.xlsx', buildXlsx('<row><c><v>1</v></c></row>', more))).toBe(
      'Prices\n\n1\n\nIn a box\n\nAsk first',
    );
  });

  test('has a warning about formulas without a saved value, but not about those whose value is empty', async () => {
    const row = '<row><c><v>1</v></c><c><f>A1*2</f></c><c><f>A1*3</f><v/></c><c t="str"><f>""</f><v></v></c></row>';
    expect(await parseText('a.xlsx', buildXlsx(row))).toBe('Prices\n\n1');
    expect(await parseWarnings('a.xlsx', buildXlsx(row))).toEqual(leftOut('2 formulas have no saved value: open'));
  });

  test('reads no macro, and warns of it', async () => {
    const macro = buildXlsx('<row><c><v>1</v></c></row>', { 'xl/vbaProject.bin': 'Sub Auto_Open()' });
    expect(await parseText('a.xlsm', macro)).toBe('Prices\n\n1');
    expect(await parseWarnings('a.xlsm', macro)).toEqual(leftOut('1 set of macros'));
  });
});

describe('an OpenDocument file', () => {
  test('has the paragraphs, lists, tables, notes and text boxes of a text', async () => {
    const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
      <text:h>Head</text:h><text:p>A<text:s text:c="999999999"/>b<text:tab/>c<text:line-break/>d
        <text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p></text:note-body></text:note></text:p>
      <text:list><text:list-item><text:p>Item</text:p></text:list-item></text:list>
      <table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>
      <text:p><draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame><office:annotation><dc:creator>Ann</dc:creator><text:p>Comment</text:p></office:annotation></text:p>`;
    const styles =
      '<office:document-styles><style:master-page><style:header><text:p>Header</text:p></style:header></style:master-page><text:p>no</text:p></office:document-styles>';
    expect(await parseText('a.odt', buildOdf('text', body, { 'styles.xml': styles }))).toBe(
      'Head\n\nA b c\nd\n\nNote\n\n- Item\n\nx | y\n\nBox\n\nComment\n\nHeader',
    );
  });

  test('has a line per row of a spreadsheet, with repeated cells and column names', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`;
    const body = `<table:table table:name="Hours">
      <table:table-row>${cell('Day')}${cell('Open')}${cell('Shut')}</table:table-row>
      <table:table-row>${cell('Monday')}${cell('9:00', 'table:number-columns-repeated="2"')}</table:table-row>
      <table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
      <table:table-row>${cell('Sunday')}<table:covered-table-cell/>${cell('never')}</table:table-row></table:table>`;
    expect(await parseText('a.ods', buildOdf('spreadsheet', body))).toBe(
      'Hours\n\nDay | Open | Shut\nDay: Monday | Open: 9:00 | Shut: 9:00\nDay: Sunday | Shut: never',
    );
  });

  test('has the numbers of a spreadsheet that were saved without text', async () => {
    const body = `<table:table table:name="Prices"><table:table-row>
      <table:table-cell office:value-type="float" office:value="2.5"/>
      <table:table-cell office:value-type="float" office:value="3"><text:p>3 €</text:p></table:table-cell></table:table-row></table:table>`;
    expect(await parseText('a.ods', buildOdf('spreadsheet', body))).toBe('Prices\n\n2.5 | 3 €');
  });

  test('has a page per slide of a presentation, with its notes', async () => {
    const slide = (text: string) =>
      `<draw:page><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame><presentation:notes><text:p>Note</text:p></presentation:notes></draw:page>`;
    expect(await parseAs('a.odp', buildOdf('presentation', slide('One') + slide('Two')))).toEqual([
      { number: 1, text: 'One\n\nNote' },
      { number: 2, text: 'Two\n\nNote' },
    ]);
  });

  test('is rejected if it has a password', async () => {
    const manifest = '<manifest:manifest><manifest:encryption-data/></manifest:manifest>';
    const odt = buildOdf('text', '', { 'content.xml': 'x', 'META-INF/manifest.xml': manifest });
    expect(await catchReason(parseAs('a.odt', odt))).toBe('encrypted');
  });

  test.each([
    ['text' as const, 'a.odt', (frame: string) => `<text:p>${frame}</text:p>`],
    ['presentation' as const, 'a.odp', (frame: string) => `<draw:page>${frame}</draw:page>`],
    [
      'spreadsheet' as const,
      'a.ods',
      (frame: string) => `<table:table><table:shapes>${frame}</table:shapes><table:table-row/></table:table>`,
    ],
  ])('has the text of embedded objects once, in any depth: %s', async (kind, name, place) => {
    const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const chart =
      '<chart:title><text:p>Sales</text:p></chart:title><table:table><table:table-row><table:table-cell><text:p>May</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row></table:table>';
    const file = buildOdf(kind, place(frame.repeat(2)), {
      'Object 1/content.xml': `<a><text:p>Inside</text:p>${frame.replace('Object 1', 'Object 2/')}</a>`,
      'Object 1/Object 2/content.xml': `<a>${chart}<draw:object xlink:href="../../Object 3"/><draw:object xlink:href="."/></a>`,
      'Object 3/content.xml': '<math><mi>E</mi><mo>=</mo><mn>1</mn><annotation>source</annotation></math>',
    });
    const [page] = await parseAs(name, file);
    expect(page?.text).toBe('Inside\n\nSales\n\nMay | 7\nE=1');
    expect(await parseWarnings(name, file)).toEqual([]);
  });

  test('has the drawings of a sheet after its rows', async () => {
    const box = '<draw:frame><draw:text-box><text:p>Box</text:p></draw:text-box></draw:frame>';
    const body = `<table:table table:name="One"><table:table-row><table:table-cell><text:p>1</text:p>${box}</table:table-cell></table:table-row></table:table>`;
    expect(await parseText('a.ods', buildOdf('spreadsheet', body))).toBe('One\n\n1\n\nBox');
  });

  test('has a warning about pictures and embedded files', async () => {
    const odt = buildOdf('text', '<text:p>a</text:p>', { 'Pictures/a.png': 'a', 'Object 1': 'a' });
    expect(await parseWarnings('a.odt', odt)).toEqual(leftOut('1 picture, 1 embedded file'));
  });
});

describe('RTF', () => {
  const readRtf = (rtf: string) => parseText('a.rtf', Uint8Array.from(Buffer.from(rtf, 'latin1')));

  test('has its paragraphs, lines, tables and symbols', async () => {
    const rtf =
      '{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\info{\\title No}}{\\*\\generator no;}First\\tab x\\par\r\nSecond\\line line \\{\\}\\par\r\n' +
      '\\trowd a\\cell b\\cell\\row c\\cell d\\cell\\row\\pard {\\b bold}\\emdash\\~{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt link}}}';
    expect(await readRtf(rtf)).toBe('First\tx\n\nSecond\nline {}\n\na | b\nc | d\nbold— link');
  });

  test('is decoded from code pages, fonts and Unicode', async () => {
    const rtf =
      "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}{\\f2\\fcharset128 C;}}Gr\\'fc\\'dfe {\\f1 \\'cf\\'f0\\'e8}{\\f2 \\'93\\'fa\\'96\\'7b} \\u8364? \\uc2\\u-10179\\'3f\\'3f\\u-8704??}";
    expect(await readRtf(rtf)).toBe('Grüße При日本 € 😀');
  });

  test.each([
    ['code page 437', "{\\rtf1\\ansi\\ansicpg437 Z\\'81rich}"],
    ['code page 437 of a PC', "{\\rtf1\\pc Z\\'81rich}"],
    ['code page 850', "{\\rtf1\\pca Z\\'81rich}"],
    ['no code page', "{\\rtf1\\ansi Z\\'fcrich}"],
    ...[2, 130, 255].map((charset) => [
      `the character set ${charset} of a font`,
      `{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f1\\fcharset${charset} A;}}\\f1 Z\\'fcrich}`,
    ]),
  ])('has a warning if letters are in %s', async (_, rtf) => {
    expect(await parseWarnings('a.rtf', toBytes(rtf))).toEqual([
      { type: 'encoding_guessed', msg: expect.stringContaining('read as windows-1252') },
    ]);
  });

  test.each([
    ['all is ASCII', '{\\rtf1\\pc Hello}'],
    [
      'only the bullets of lists are symbols',
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f1\\fcharset2 A;}}{\\f1\\'b7} tea}",
    ],
    ['the font has a known one', "{\\rtf1\\ansi{\\fonttbl{\\f1\\fcharset204 A;}}{\\f1\\'cf}}"],
  ])('has no warning about its encoding if %s', async (_, rtf) => {
    expect(await parseWarnings('a.rtf', toBytes(rtf))).toEqual([]);
  });

  test('has its comments, footnotes and text boxes, but no pictures and deleted text', async () => {
    const rtf =
      '{\\rtf1 a{\\footnote note}{\\*\\footnote other}{\\*\\annotation remark} {\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt box}}{\\shprslt again}}{\\pict ffd8ff}{\\deleted gone}\\bin5 {{{{{b}';
    expect(await readRtf(rtf)).toBe('a note otherremark boxb');
  });

  test('has a warning if it is truncated', async () => {
    expect(await parseWarnings('a.rtf', toBytes('{\\rtf1 Hello {\\b there'))).toEqual(leftOut('ends before'));
  });
});

describe('an EPUB', () => {
  const chapter = (text: string) => `<html><head><title>T</title></head><body><p>${text}</p></body></html>`;

  test('has its chapters in reading order', async () => {
    expect(await parseText('a.epub', buildEpub([chapter('One'), chapter('Two')]))).toBe('T\n\nOne\n\nT\n\nTwo');
  });

  test('is read past empty scripts and titles, as XHTML has them', async () => {
    const xhtml = '<html><head><title/><script src="a.js"/></head><body><p>One</p></body></html>';
    expect(await parseText('a.epub', buildEpub([xhtml]))).toBe('One');
    expect(await parseText('a.xhtml', `<?xml version="1.0"?>${xhtml}`)).toBe('One');
  });

  test('is rejected if its chapters are protected, but not if only fonts are', async () => {
    const protect = (uri: string) => ({
      'META-INF/encryption.xml': `<encryption><enc:CipherReference URI="${uri}"/></encryption>`,
    });
    const book = (uri: string) => buildEpub([chapter('One')], protect(uri));
    expect(await catchReason(parseAs('a.epub', book('OEBPS/text/chapter%200.xhtml')))).toBe('encrypted');
    expect(await parseText('a.epub', book('OEBPS/fonts/a.ttf'))).toContain('One');
  });

  test('has a warning about a chapter that is missing', async () => {
    const spine =
      '<p><item id="a" href="a"/><item id="c" href="text/chapter%200.xhtml"/><itemref idref="a"/><itemref idref="c"/></p>';
    const book = buildEpub([chapter('One')], { 'OEBPS/content.opf': spine });
    expect(await parseText('a.epub', book)).toContain('One');
    expect(await parseWarnings('a.epub', book)).toEqual(leftOut('1 chapter is missing'));
  });

  test('has chapters whose addresses are not encoded, and none of the pictures between them', async () => {
    const spine =
      '<p><item id="a" href="100%.xhtml"/><item id="b" href="b.png" media-type="image/png"/><itemref idref="b"/><itemref idref="a"/></p>';
    const parts = {
      'OEBPS/content.opf': spine,
      'OEBPS/100%.xhtml': chapter('One'),
      'OEBPS/b.png': Uint8Array.from([0x89, 0, 0]),
    };
    expect(await parseText('a.epub', buildEpub([], parts))).toBe('T\n\nOne');
    expect(await parseWarnings('a.epub', buildEpub([], parts))).toEqual([]);
  });

  test.each([
    ['no container', { 'META-INF/container.xml': '<container/>' }],
    ['a package that is missing', { 'META-INF/container.xml': '<c><rootfile full-path="../../etc/passwd"/></c>' }],
    ['only a chapter that is missing', { 'OEBPS/content.opf': '<p><item id="a" href="b"/><itemref idref="a"/></p>' }],
    ['no XML', { 'OEBPS/content.opf': '<package><spine>' }],
  ])('is rejected if it has %s', async (_, parts) => {
    expect(await catchReason(parseAs('a.epub', buildEpub([chapter('One')], parts)))).toMatch(/damaged|no_text/);
  });
});

describe('an e-mail', () => {
  const header = [
    'From: =?utf-8?q?J=C3=BCrg?= <j@example.com>',
    'To: a@example.com',
    'Subject: Hours',
    'MIME-Version: 1.0',
  ];

  test('has its subject, people and date before its text', async () => {
    const mail = buildMail(...header, 'Date: Tue, 24 Nov 2026 10:00:00 +0100', '', 'We open at nine.');
    expect(await parseText('a.eml', mail)).toBe(
      'Subject: Hours\nFrom: Jürg <j@example.com>\nTo: a@example.com\nDate: 2026-11-24T09:00:00.000Z\n\nWe open at nine.',
    );
  });

  test.each([
    ['UTF-16', '\ufeff', 'utf16le'],
    ['UTF-16 without a byte order mark', '', 'utf16le'],
    ['UTF-8 with a byte order mark', '\ufeff', 'utf8'],
  ] as const)('may be saved as %s', async (_, mark, encoding) => {
    const lines = [...header, 'Content-Type: text/plain; charset=utf-8', '', 'Geöffnet ab neun.'];
    const bytes = new Uint8Array(Buffer.from(mark + lines.join('\r\n'), encoding));
    expect(await parseText('a.eml', bytes)).toMatch(/^Subject: Hours\n[\s\S]*\n\nGeöffnet ab neun\.$/);
  });

  test('has the text of its HTML, in its encoding, and a warning that names attachments', async () => {
    const mail = buildMail(
      ...header,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=windows-1251',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>=CF=F0=E8=E2=E5=F2</p><table><tr><td>a<td>b</table>',
      '--b',
      'Content-Type: application/pdf; name="prices.pdf"',
      'Content-Disposition: attachment',
      '',
      '%PDF',
      '--b--',
    );
    expect(await parseText('a.eml', mail)).toMatch(/Привет\n\na \| b$/);
    expect(await parseWarnings('a.eml', mail)).toEqual(leftOut('Attachments were not read: prices.pdf'));
  });

  test('has a warning if characters are invalid in its encoding', async () => {
    const mail = buildMail(...header, 'Content-Type: text/plain; charset=utf-8', '', 'Gr\u0000\u0001e');
    const bytes = mail.map((byte) => (byte < 2 ? 0xfc : byte));
    expect(await parseText('a.eml', bytes)).toContain('Gr\ufffd\ufffde');
    expect(await parseWarnings('a.eml', bytes)).toEqual([
      { type: 'characters_damaged', msg: expect.stringContaining('2 of the characters') },
    ]);
  });

  test.each([
    ['an unknown encoding', 'x-unknown', '8bit', 'Gr\xfc\xdfe'],
    ['ASCII', 'us-ascii', '8bit', 'Gr\xfc\xdfe'],
    ['ASCII with quoted letters', '"us-ascii"', 'quoted-printable', 'Gr=FC=DFe'],
    ['ASCII in base64', 'US-ASCII', 'base64', 'R3L832U='],
  ])('has a warning if letters are in %s', async (_, charset, encoding, text) => {
    const lines = [`Content-Type: text/plain;\r\n charset=${charset}`, `Content-Transfer-Encoding: ${encoding}`];
    const mail = Buffer.from(buildMail(...header, ...lines, '', text)).toString();
    const bytes = Buffer.from(mail, 'latin1');
    expect(await parseText('a.eml', bytes)).toMatch(/Grüße$/);
    expect(await parseWarnings('a.eml', bytes)).toEqual([
      { type: 'encoding_guessed', msg: expect.stringContaining('read as windows-1252') },
    ]);
  });

  test.each([
    ['all is ASCII', 'us-ascii', 'Hello'],
    ['the encoding is known by another name', 'cp932', '\x93\xfa\x96\x7b'],
    ['the encoding is Windows-1252', 'iso-8859-1', 'Gr\xfc\xdfe'],
  ])('has no warning about its encoding if %s', async (_, charset, text) => {
    const mail = [...header, `Content-Type: text/plain; charset=${charset}`, '', text].join('\r\n');
    expect(await parseWarnings('a.eml', Buffer.from(mail, 'latin1'))).toEqual([]);
  });

  test('keeps its first field after a byte order mark', async () => {
    expect(
      await parseText('a.eml', toBytes(`\ufeff${['Subject: Hours', 'To: a@example.com', '', 'Text'].join('\n')}`)),
    ).toBe('Subject: Hours\nTo: a@example.com\n\nText');
  });

  test('has a warning that names attachments among the pictures of its text', async () => {
    const part = (type: string) => ['--b', `Content-Type: ${type}`, 'Content-ID: <a>', '', 'x'];
    const related = 'Content-Type: multipart/related; boundary=b';
    const mail = buildMail(
      ...header,
      related,
      '',
      ...part('application/pdf; name=a.pdf'),
      ...part('image/png'),
      '--b--',
    );
    expect(await parseWarnings('a.eml', mail)).toEqual(leftOut('Attachments were not read: a.pdf: upload'));
  });

  test('has a warning if it is a mailbox with more messages', async () => {
    const start = 'From a@example.com Tue Nov 24 10:00:00 2026';
    const mailbox = buildMail(start, ...header, '', 'One', '', start, ...header, '', 'Two', '');
    expect(await parseText('a', mailbox)).toMatch(/One$/);
    expect(await parseWarnings('a', mailbox)).toEqual(leftOut('Only the first message'));
    expect(await parseWarnings('a', buildMail(start, ...header, '', 'One', '', 'From here on'))).toEqual([]);
  });

  test('has the text of forwarded messages', async () => {
    const mail = buildMail(...header, 'Content-Type: message/rfc822', '', ...header, '', 'The inner text');
    expect(await parseText('a.eml', mail)).toContain('The inner text');
  });
});

describe('a DOCX', () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

  test('has its headers, footers, comments and diagrams, each once', async () => {
    const docx = buildDocx(paragraph('Body'), {
      'word/_rels/document.xml.rels': buildRelations(
        ['header', 'header1.xml'],
        ['header', 'header2.xml'],
        ['footer', 'footer1.xml'],
        ['comments', 'comments.xml'],
        ['diagramData', 'diagrams/data1.xml'],
      ),
      'word/header1.xml': `<w:hdr>${paragraph('Head')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${paragraph('Head')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${paragraph('Foot')}</w:ftr>`,
      'word/comments.xml': `<w:comments><w:comment>${paragraph('Remark')}</w:comment></w:comments>`,
      'word/diagrams/data1.xml': `<dgm:dataModel>${drawText('Step')}</dgm:dataModel>`,
    });
    expect(await parseText('a.docx', docx)).toBe('Body\n\nStep\n\nHead\n\nFoot\n\nRemark');
  });

  test('has a warning about pictures, formulas and text boxes that it does not read', async () => {
    const body = `${paragraph('Body')}<w:p><m:oMath><m:t>x</m:t></m:oMath><w:r><w:drawing><wps:txbx/></w:drawing></w:r></w:p>`;
    expect(await parseWarnings('a.docx', buildDocx(body, { 'word/media/image1.wmf': 'a' }))).toEqual(
      leftOut('1 picture, text boxes, formulas'),
    );
  });

  test('has a warning about text in elements and files that it does not read, but none about elements without text', async () => {
    const odd = `<w:p><w:bdo>${'<w:r><w:t>odd</w:t></w:r>'}</w:bdo></w:p>`;
    const relations = { 'word/_rels/document.xml.rels': buildRelations(['aFChunk', 'afchunk1.html']) };
    expect(await parseWarnings('a.docx', buildDocx(paragraph('Body') + odd))).toEqual(
      leftOut('not read: text within unusual elements'),
    );
    expect(await parseWarnings('a.docx', buildDocx(paragraph('Body'), relations))).toEqual(leftOut('inserted files'));
    expect(await parseWarnings('a.docx', buildDocx(`${paragraph('Body')}<w:p><w:permStart/></w:p>`))).toEqual([]);
  });
});
