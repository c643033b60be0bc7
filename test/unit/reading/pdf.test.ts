import { deflateSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { limits } from '../../../shared/reading/limits.ts';
import { cpuTimeSince } from '../../support/cpu-time.ts';
import { catchReason, parseAs, readSample } from '../../support/documents.ts';
import { buildForeignPdf, buildPage, buildPdf, buildScannedPdf } from '../../support/pdf.ts';

const parseFirstPage = async (bytes: Uint8Array) => (await parseAs('a.pdf', bytes))[0]?.text;
const toUtf16Hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

describe('a PDF', () => {
  test('is parsed page by page', async () => {
    const pages = await parseAs('a.pdf', readSample('fairy-tales.pdf'));
    expect(pages.map(({ number }) => number)).toEqual(Array.from({ length: 55 }, (_, i) => i + 1));
    expect(pages[0]?.text).toMatch(/^PD KIDS\nPublic domain texts for young people\.\nThe Buried Moon -/);
    expect(pages[1]?.text).toMatch(/^she was trembling\. She feared that vast expanse of bog and its evil\ncreatures,/);
    expect((await parseAs('a.pdf', readSample('tax-form.pdf')))[1]?.text).toContain('40 | Itemized deductions');
  });

  test.each([
    ['simplified Chinese', 'UniGB-UCS2-H', 'GB1', toUtf16Hex('你好，世界'), '你好，世界'],
    ['traditional Chinese', 'ETen-B5-H', 'CNS1', 'a4a4a4e5', '中文'],
    ['Japanese', '90ms-RKSJ-H', 'Japan1', '93fa967b8cea', '日本語'],
    ['Korean', 'KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
  ])('is parsed without embedded fonts in %s', async (_, encoding, ordering, codes, text) => {
    expect(await parseFirstPage(buildForeignPdf(encoding, ordering, codes))).toBe(text);
  });

  test('has no text if its encoding is unknown or a path to a file', async () => {
    expect(await catchReason(parseAs('a.pdf', buildForeignPdf('Nothing-H', 'GB1', '4e00')))).toBe('no_text');
    expect(await catchReason(parseAs('a.pdf', buildForeignPdf('..#2F..#2Fpackage.json', 'GB1', '4e00')))).toBe(
      'no_text',
    );
  });

  test('has Arabic in reading order, with shapes converted to letters', async () => {
    const shapes = ['FEE1', 'FEFC', 'FEB3']; // from the left: meem, lam with alef, seen
    const map = shapes.map((shape, i) => `<000${i + 1}> <${shape}>`).join(' ');
    const cmap = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 3 beginbfchar ${map} endbfchar endcmap`;
    const arabic = buildPage('/Font << /F 5 0 R >>', 'BT /F 24 Tf 72 700 Td <000100020003> Tj ET', [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      { dictionary: '', stream: cmap },
    ]);
    expect(await parseFirstPage(arabic)).toBe('سلام');
  });

  test('has words from right to left in reading order, and numbers between them from left to right', async () => {
    const hebrew = ['05D0', '05D1', '05D2'].map((code, i) => `<000${i + 1}> <${code}>`).join(' ');
    const cmap = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 4 beginbfchar ${hebrew} <0004> <0037> endbfchar endcmap`;
    const words = [
      '300 700 Tm <0001> Tj',
      '200 700 Tm <0003> Tj',
      '250 700 Tm <0004> Tj',
      '260 700 Tm <0004> Tj',
      '270 700 Tm <0002> Tj',
    ];
    const content = `BT /F 10 Tf ${words.map((word) => `1 0 0 1 ${word}`).join(' ')} ET`;
    const font = [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 7 0 R >>',
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 1000 >>',
      { dictionary: '', stream: cmap },
    ];
    expect(await parseFirstPage(buildPage('/Font << /F 5 0 R >>', content, font))).toBe('א | ב77 | ג');
  });

  const helvetica = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
  const place = ([x, y, text]: [number, number, string]) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj`;
  const buildTexts = (...texts: [number, number, string][]) =>
    buildPage(helvetica, `BT /F 10 Tf ${texts.map(place).join(' ')} ET`);

  test('has a line per row of a table, even if its columns follow each other', async () => {
    const columns = buildTexts(
      [72, 700, 'Item'],
      [72, 680, 'Tea'],
      [72, 660, 'Cake'],
      [300, 700, 'Price'],
      [300, 680, '3.50'],
      [400, 680, 'new'],
      [300, 660, '4'],
    );
    expect(await parseFirstPage(columns)).toBe('Item | Price\nTea | 3.50 | new\nCake | 4');
  });

  test('keeps columns of text apart', async () => {
    const left = 'The first column goes down the page';
    const right = 'and the second one starts at its top';
    const columns = buildTexts(
      [72, 700, left],
      [72, 688, left],
      [72, 676, 'end.'],
      [320, 700, right],
      [320, 688, right],
    );
    expect(await parseFirstPage(columns)).toBe(`${left}\n${left}\nend.\n${right}\n${right}`);
  });

  test('has rows of a table that is rotated', async () => {
    const texts = ['0 1 -1 0 100 72 Tm (Tea) Tj', '0 1 -1 0 120 72 Tm (Cake) Tj', '0 1 -1 0 100 300 Tm (3.50) Tj'];
    const turned = buildPage(helvetica, `BT /F 10 Tf ${texts.join(' ')} ET`, [], '/Rotate 90');
    expect(await parseFirstPage(turned)).toBe('Tea | 3.50\nCake');
  });

  test('has the text of its form XObjects', async () => {
    const form = {
      dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 99 99] /Resources << ${helvetica} >>`,
      stream: 'BT /F 9 Tf (Inner) Tj ET',
    };
    expect(await parseFirstPage(buildPage('/XObject << /X 5 0 R >>', '/X Do', [form]))).toBe('Inner');
  });

  test('has its notes and the values of its form fields, with their labels', async () => {
    const widget = '/Type /Annot /Subtype /Widget /Rect [9 9 99 19] /F 4';
    const annotations = [
      `<< ${widget} /FT /Tx /T (a) /TU (First name) /V (Anna) >>`,
      `<< ${widget} /FT /Tx /T (b) /V (no label) >>`,
      `<< ${widget} /FT /Tx /T (c) /V (secret) /Ff 8192 >>`,
      `<< ${widget} /FT /Ch /T (d) /TU (City) /Opt [(Bern) (Rome)] /V (Rome) >>`,
      `<< ${widget} /FT /Btn /T (e) /TU (Member) /V /Yes /AS /Yes /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> >>`,
      `<< ${widget} /FT /Btn /T (f) /TU (Guest) /V /Off /AS /Off /AP << /N << /Yes 5 0 R /Off 5 0 R >> >> >>`,
      '<< /Type /Annot /Subtype /Text /Rect [9 9 99 19] /Contents (A note) /Popup 6 0 R >>',
      '<< /Type /Annot /Subtype /FreeText /Rect [9 9 99 19] /DA (/F 9 Tf) /Contents (Free text) >>',
      '<< /Type /Annot /Subtype /Link /Rect [9 9 99 19] /Contents (An address) >>',
    ];
    const look = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9]', stream: '' };
    const form = buildPage(
      '',
      '',
      [look, '<< /Type /Annot /Subtype /Popup /Rect [0 0 9 9] >>'],
      `/Annots [${annotations.join(' ')}]`,
    );
    expect(await parseFirstPage(form)).toBe('A note\nFree text\nFirst name: Anna\nno label\nCity: Rome\nMember: Yes');
  });

  /** Builds a PDF with a note of letters that become 18 letters each, 33 bytes. */
  const buildNote = (letters: number, content = '') => {
    const note = `<< /Type /Annot /Subtype /Text /Rect [9 9 99 19] /Contents <feff${'fdfa'.repeat(letters)}> >>`;
    return buildPage('', content, [], `/Annots [${note}]`);
  };

  test('is refused if its notes are of letters that become more than 30 MB of text', async () => {
    expect((await parseFirstPage(buildNote(1_001)))?.length).toBe(18_018);
    expect(await catchReason(parseAs('a.pdf', buildNote(1_000_000)))).toBe('too_large');
  });

  test('is refused if it has more than 30 MB of text with what is between its cells', async () => {
    const letters = Math.floor(limits.textBytes / 33) - 10;
    const buildRows = (count: number) =>
      `BT /F 9 Tf 9 700 Td ${'[(a) -20000 (a) -20000 (a)] TJ 0 -9 Td '.repeat(count)} ET`;
    expect(await parseFirstPage(buildPage('', buildRows(1)))).toBe('a | a | a');
    expect(await catchReason(parseAs('a.pdf', buildNote(letters, buildRows(10))))).toBe('It was read');
    expect(await catchReason(parseAs('a.pdf', buildNote(letters, buildRows(50))))).toBe('too_large');
  });

  test('has the text and values of a form in XFA instead of the advice to open another program', async () => {
    const template = `<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form" layout="tb">
      <pageSet><pageArea><contentArea w="500pt" h="700pt"/><medium stock="a4"/></pageArea></pageSet>
      <draw w="90pt" h="20pt"><value><text>A heading</text></value></draw>
      <field name="city" w="90pt" h="20pt"><ui><textEdit/></ui><value><text>Bern</text></value></field></subform></template>`;
    const xfa = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${template}</xdp:xdp>`;
    const pdf = buildPdf([
      '<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA 4 0 R >> >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << ${helvetica} >> /Contents 5 0 R >>`,
      { dictionary: '', stream: xfa },
      { dictionary: '', stream: 'BT /F 9 Tf 72 700 Td (Open it in another program) Tj ET' },
    ]);
    expect(await parseFirstPage(pdf)).toBe('A heading\nBern');
  });

  test('keeps page numbers after blank pages', async () => {
    const font = '/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
    const pdf = buildPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 612 792] >>',
      '<< /Type /Page /Parent 2 0 R >>',
      `<< /Type /Page /Parent 2 0 R ${font} /Contents 5 0 R >>`,
      { dictionary: '', stream: 'BT /F 12 Tf 72 700 Td (Second) Tj ET' },
    ]);
    expect(await parseAs('a.pdf', pdf)).toEqual([
      { number: 1, text: '' },
      { number: 2, text: 'Second' },
    ]);
  });

  test.each([
    [
      'encrypted',
      buildPdf(
        ['<< /Type /Catalog >>'],
        `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >>`,
      ),
    ],
    ['encrypted', buildPdf(['<< /Type /Catalog >>'], '/ID [<00> <00>] /Encrypt << /Filter /Adobe.PubSec /V 4 >>')],
    ['damaged', readSample('tax-form.pdf').subarray(0, 2_000)],
    ['damaged', new TextEncoder().encode('%PDF-1.7\n')],
    ['no_text', buildPage('', '')],
    ['too_deep', buildPage('', '', [], `/Annots ${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    [
      'too_large',
      buildPage('', '', [{ dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.alloc(160_000_001)) }]),
    ],
    [
      'too_large',
      buildPage('', '', [
        {
          dictionary: '/Filter [/FlateDecode /FlateDecode]',
          stream: deflateSync(deflateSync(Buffer.alloc(160_000_001))),
        },
      ]),
    ],
  ])('is rejected as %s', async (reason, pdf) => {
    expect(await catchReason(parseAs('a.pdf', pdf))).toBe(reason);
  });

  test('is rejected quickly with more than 5,000 pages', async () => {
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 1] >>';
    const kids = Array.from({ length: 5_001 }, (_, i) => `${i + 3} 0 R`).join(' ');
    const pdf = buildPdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count 5001 >>`,
      ...Array.from({ length: 5_001 }, () => page),
    ]);
    const before = process.cpuUsage();
    expect(await catchReason(parseAs('a.pdf', pdf))).toBe('too_many_pages');
    expect(cpuTimeSince(before)).toBeLessThan(3_000);
  });

  test('reports progress for each page', async () => {
    const onProgress = vi.fn();
    await parseAs('a.pdf', readSample('fairy-tales.pdf'), { onProgress });
    expect(onProgress).toHaveBeenCalledTimes(55);
  });

  test('is parsed without changes to its bytes, and leaves no listeners', async () => {
    const listeners = process.listeners('unhandledRejection');
    const bytes = readSample('tax-form.pdf');
    await Promise.all([parseAs('a.pdf', bytes), parseAs('a.pdf', bytes)]);
    expect(bytes).toEqual(readSample('tax-form.pdf'));
    expect(process.listeners('unhandledRejection')).toEqual(listeners);
  });
});

/** Size of the test image, which is white with a black upper left quarter. */
const width = 80;
const height = 104;
const isBlack = (x: number, y: number) => x < width / 2 && y < height / 2;
const renderPixels = (getShade: (x: number, y: number) => number) =>
  Buffer.from(Array.from({ length: width * height }, (_, i) => getShade(i % width, Math.floor(i / width))));
const renderBits = () => {
  const rows = Buffer.alloc((width / 8) * height, 0xff);
  for (let y = 0; y < height / 2; y++) rows.fill(0, (y * width) / 8, ((y + 0.5) * width) / 8);
  return rows;
};

const createOcr = (text: string) => async () => ({ text, confidence: 90 });

/** Returns the only image that the parser passes to OCR. */
async function captureOcrImage(pdf: Uint8Array): Promise<Uint8Array> {
  const images: Uint8Array[] = [];
  await parseAs('a.pdf', pdf, { ocr: async (image) => ({ text: `text ${images.push(image)}`, confidence: 90 }) });
  expect(images).toHaveLength(1);
  return images[0] ?? new Uint8Array();
}

describe('a scanned PDF', () => {
  const size = `/Width ${width} /Height ${height} /Filter /FlateDecode`;
  const grey = buildScannedPdf(
    `${size} /ColorSpace /DeviceGray /BitsPerComponent 8`,
    deflateSync(renderPixels((x, y) => (isBlack(x, y) ? 0 : 255))),
  );

  /** Describes the image passed to OCR: its orientation, and the shades at the centres of its quarters, row by row. */
  async function describePicture(pdf: Uint8Array) {
    const image = await captureOcrImage(pdf);
    const [, wide = 0, high = 0] = (/^P5 (\d+) (\d+) 255\n/.exec(Buffer.from(image).toString('latin1')) ?? []).map(
      Number,
    );
    const pixels = image.subarray(image.length - wide * high);
    const shades = [0.25, 0.75].flatMap((y) =>
      [0.25, 0.75].map((x) => pixels[Math.floor(y * high) * wide + Math.floor(x * wide)]),
    );
    return { upright: high > wide, shades };
  }

  test.each([
    ['in grey', grey],
    [
      'in colour',
      buildScannedPdf(
        `${size} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
        deflateSync(
          Buffer.from([...renderPixels((x, y) => (isBlack(x, y) ? 0 : 255))].flatMap((shade) => [shade, shade, shade])),
        ),
      ),
    ],
    [
      'in black and white',
      buildScannedPdf(`${size} /ColorSpace /DeviceGray /BitsPerComponent 1`, deflateSync(renderBits())),
    ],
    ['as a stencil', buildScannedPdf(`${size} /ImageMask true /BitsPerComponent 1`, deflateSync(renderBits()))],
  ])('passes the image of its page to OCR: %s', async (_, pdf) => {
    expect(await describePicture(pdf)).toEqual({ upright: true, shades: [0, 255, 255, 255] });
  });

  test('is read up to the images that cover its page ten times', async () => {
    const upright = 'q 612 0 0 792 0 0 cm /Scan Do Q ';
    const turned = 'q -612 0 0 -792 612 792 cm /Scan Do Q ';
    const buildCovered = (content: string) =>
      buildPage('/XObject << /Scan 5 0 R >>', content, [
        {
          dictionary: `/Type /XObject /Subtype /Image ${size} /ColorSpace /DeviceGray /BitsPerComponent 8`,
          stream: deflateSync(renderPixels((x, y) => (isBlack(x, y) ? 0 : 255))),
        },
      ]);
    const describeCovered = (times: number) => describePicture(buildCovered(upright.repeat(times) + turned));
    expect(await describeCovered(9)).toEqual({ upright: true, shades: [255, 255, 255, 0] });
    expect(await describeCovered(10)).toEqual({ upright: true, shades: [0, 255, 255, 255] });
  });

  test('is rotated like its page', async () => {
    const turned = buildScannedPdf(
      `${size} /ColorSpace /DeviceGray /BitsPerComponent 8`,
      deflateSync(renderPixels((x, y) => (isBlack(x, y) ? 0 : 255))),
      '/Rotate 90',
    );
    expect(await describePicture(turned)).toEqual({ upright: false, shades: [255, 0, 255, 255] });
  });

  test('has the text that OCR finds, and none without OCR', async () => {
    expect(await parseAs('a.pdf', grey, { ocr: createOcr(' found \n') })).toEqual([{ number: 1, text: ' found' }]);
    expect(await catchReason(parseAs('a.pdf', grey))).toBe('no_text');
    expect(await catchReason(parseAs('a.pdf', grey, { ocr: createOcr('') }))).toBe('no_text');
  });

  test('is not passed to OCR if its pages have text', async () => {
    const ocr = async () => expect.unreachable();
    expect(await parseAs('a.pdf', readSample('tax-form.pdf'), { ocr })).toHaveLength(2);
  });

  test('is not passed to OCR if its image has too few pixels for a letter', async () => {
    const dot = buildScannedPdf('/Width 2 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.alloc(4));
    expect(await catchReason(parseAs('a.pdf', dot, { ocr: async () => expect.unreachable() }))).toBe('no_text');
  });

  test('is passed to OCR with sides that it can read, even of a long receipt', async () => {
    const receipt = buildScannedPdf(
      '/Width 100 /Height 34000 /Filter /FlateDecode /ColorSpace /DeviceGray /BitsPerComponent 8',
      deflateSync(Buffer.alloc(3_400_000, 255)),
      '/MediaBox [0 0 34 13000]',
    );
    const header = Buffer.from(await captureOcrImage(receipt)).toString('latin1', 0, 40);
    const [, high] = /^P5 \d+ (\d+) 255/.exec(header) ?? [];
    expect(Number(high)).toBe(limits.side);
  });

  test('is decoded from fax compression', async () => {
    const tiff = readSample('lines.tiff'); // its only strip has 3,619 bytes from byte 8
    const fax = buildScannedPdf(
      '/Width 800 /Height 160 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 800 /Rows 160 /BlackIs1 true >>',
      tiff.subarray(8, 8 + 3_619),
    );
    const picture = await captureOcrImage(fax);
    const black = picture.reduce((count, shade) => count + (shade < 128 ? 1 : 0), 0) / picture.length;
    expect(black).toBeGreaterThan(0.03);
    expect(black).toBeLessThan(0.3);
  });
});
