import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { detectKind } from '../../../shared/reading/kind.ts';
import { explainUnsupported } from '../../../shared/reading/unreadable.ts';
import { readSample, toBytes } from '../../support/documents.ts';
import { buildDocx, buildEpub, buildOdf, buildPptx, buildXlsx, buildZip } from '../../support/office.ts';

const detectName = async (bytes: Uint8Array, hint = {}) => (await detectKind(bytes, hint))?.name;
const encodeUtf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const encodeUtf16BigEndian = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

/** Start of a picture as an iPhone takes it. */
const heic = Buffer.from('0000001c667479706865696300000000', 'hex');

describe('the kind of a file', () => {
  test.each([
    ['fairy-tales.pdf', 'pdf', 'application/pdf'],
    ['tables.docx', 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['scanned-page.png', 'png', 'image/png'],
    ['lines-turned.jpg', 'jpeg', 'image/jpeg'],
    ['lines.webp', 'webp', 'image/webp'],
    ['lines.tiff', 'tiff', 'image/tiff'],
    ['lines.gif', 'gif', 'image/gif'],
    ['lines.bmp', 'bmp', 'image/bmp'],
    ['lines.jp2', 'jp2', 'image/jp2'],
  ])('is detected by its bytes, not by its name: %s', async (file, name, mediaType) => {
    expect(await detectKind(readSample(file), { fileName: 'notes.txt', contentType: 'text/html' })).toEqual({
      name,
      mediaType,
    });
  });

  test.each([
    ['pptx', buildPptx([''])],
    ['xlsx', buildXlsx('')],
    ['docx', buildDocx('')],
    ['odt', buildOdf('text', '')],
    ['ods', buildOdf('spreadsheet', '')],
    ['odp', buildOdf('presentation', '')],
    ['epub', buildEpub([''])],
    ['rtf', toBytes('{\\rtf1 Hello}')],
  ])('is detected in archives and RTF, whatever they are named: %s', async (name, bytes) => {
    expect(await detectName(bytes, { fileName: 'a.eml', contentType: 'text/plain' })).toBe(name);
  });

  test('is that of an Office file with thousands of parts before its list of types, or a list of a megabyte', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`ppt/media/${i}.png`, '']));
    const part = 'ppt/presentation.xml';
    const types = '<Types><Override ContentType="application/x"/></Types>';
    expect(await detectName(buildZip({ ...parts, [part]: '', '[Content_Types].xml': types }))).toBe('pptx');
    expect(await detectName(buildZip({ '[Content_Types].xml': types.padEnd(1_100_000), [part]: '' }))).toBe('pptx');
    expect(await detectName(buildZip({ ...parts, 'ppt/embeddings/a.docx': buildDocx('') }))).toBeUndefined();
    expect(await detectName(buildZip({ ...parts, 'ppt/embeddings/a.docx': buildDocx(''), [part]: '' }))).toBe('pptx');
    expect(await detectName(buildZip({ 'letter.docx': buildDocx(''), 'old/word/document.xml': '' }))).toBeUndefined();
    expect(await detectName(buildZip({ ...parts, 'word/document.xml.bak': '' }))).toBeUndefined();
  });

  test('is that of a large Office file in ZIP64, whose directory is followed by more', async () => {
    const parts = Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`xl/media/${i}.png`, '']));
    const archive = Buffer.from(buildZip({ 'xl/workbook.xml': '', ...parts }));
    const [files, end] = [archive.subarray(0, -22), archive.subarray(-22)];
    end.writeUInt32LE(0xffffffff, 16); // the place of the directory is in what comes before
    expect(await detectName(Buffer.concat([files, Buffer.alloc(76), end]))).toBe('xlsx');
    end.writeUInt32LE(0xffffffff, 12); // and so is its size
    expect(await detectName(Buffer.concat([files, Buffer.alloc(76), end]))).toBe('xlsx');
  });

  test.each([
    ['docx', 'vnd.ms-word.document.macroEnabled'],
    ['docx', 'vnd.openxmlformats-officedocument.wordprocessingml.template'],
    ['xlsx', 'vnd.ms-excel.sheet.macroEnabled'],
    ['pptx', 'vnd.openxmlformats-officedocument.presentationml.slideshow'],
  ])('is %s for its variant %s', async (name, type) => {
    const types = `<Types><Override ContentType="application/${type}.main+xml"/></Types>`;
    expect(await detectName(buildZip({ '[Content_Types].xml': types }))).toBe(name);
  });

  test('is an e-mail only if it starts with the header of one', async () => {
    const mail = 'Received: from a\r\n by b\r\nFrom: a@example.com\r\nSubject: Hours\r\n\r\nText';
    expect(await detectName(toBytes(mail))).toBe('eml');
    expect(await detectName(toBytes(mail), { fileName: 'a.eml' })).toBe('eml');
    expect(await detectName(toBytes(mail), { fileName: 'a.txt' })).toBe('txt');
    expect(await detectName(toBytes('From: me\n\nTo: you'))).toBe('txt');
    expect(await detectName(toBytes('Dear all,\nFrom: me\nTo: you\n\n'), { fileName: 'a.eml' })).toBe('txt');
  });

  test.each([
    ['a program', Buffer.from('4d5a90000300000004000000ffff0000b8000000', 'hex')],
    ['a Photoshop image', Buffer.from('384250530001000000000000000300000001000000010008', 'hex')],
    ['a HEIC picture', heic],
    ['a zip other than DOCX', zipSync({ 'a.txt': toBytes('a') })],
    ['an old Office file', Buffer.from('d0cf11e0a1b11ae1000000000000000000000000', 'hex')],
    ['an OpenDocument drawing', buildZip({ mimetype: 'application/vnd.oasis.opendocument.graphics' })],
    ['an unknown Office file', buildZip({ '[Content_Types].xml': '<Types/>', 'visio/a.xml': '' })],
    ['PostScript', toBytes('%!PS-Adobe-3.0\nshowpage')],
    ['nothing', new Uint8Array()],
    ['text with a NUL', toBytes('Hello\0there')],
    ['text with control characters', toBytes('Hello \u0001\u0002 there')],
    ['numbers', new Uint8Array(Uint16Array.from({ length: 500 }, (_, i) => (i % 9 ? i * 131 : 7)).buffer)],
  ])('is undefined for %s, even if it is named a PDF', async (_, bytes) => {
    expect(await detectKind(bytes, { fileName: 'a.pdf', contentType: 'application/pdf' })).toBeUndefined();
    expect(await detectKind(bytes, { fileName: 'a.txt', contentType: 'text/plain' })).toBeUndefined();
  });

  test.each([
    ['a.txt', undefined, 'txt'],
    ['A.MD', 'text/plain', 'markdown'],
    ['a.htm', 'application/octet-stream', 'html'],
    ['a.csv', 'application/vnd.ms-excel', 'csv'],
    ['a.json', '', 'json'],
    ['notes', 'text/markdown; charset=utf-8', 'markdown'],
    ['notes', 'Application/JSON', 'json'],
    ['a.pdf', 'application/pdf', 'txt'],
    ['a.constructor', '__proto__', 'txt'],
    [undefined, undefined, 'txt'],
  ])('of text depends on name %s and type %s: %s', async (fileName, contentType, name) => {
    expect(await detectName(toBytes('Hello there'), { fileName, contentType })).toBe(name);
  });

  test('of text is HTML if only the text says so', async () => {
    expect(await detectName(toBytes('\n<!DOCTYPE html><p>Hello'))).toBe('html');
  });

  test.each([
    ['UTF-8', toBytes('Grüße')],
    ['UTF-8 with a byte order mark', toBytes('\ufeffGrüße')],
    ['UTF-16 with a byte order mark', encodeUtf16('\ufeff你好')],
    ['big-endian UTF-16 with a byte order mark', encodeUtf16BigEndian('\ufeff你好')],
    ['UTF-16', encodeUtf16('Grüße 你好\n')],
    ['big-endian UTF-16', encodeUtf16BigEndian('Grüße 你好\n')],
    ['Windows-1252', Buffer.from('\x93Gr\xfc\xdfe aus Bern\x94', 'latin1')],
    ['Shift_JIS', Buffer.from('93fa967b8cea82cc8eab8f91', 'hex')],
    ['text that starts like a bitmap', toBytes('BM is short for Bench Mark')],
    ['text that starts like a GIF', toBytes('GIFT CARDS')],
    ['text that starts like an archive', toBytes('PK is a code')],
    ['text with terminal colours', toBytes('\u001b[1mHello\u001b[0m\f')],
  ])('is text for %s', async (_, bytes) => {
    expect(await detectName(bytes)).toBe('txt');
  });

  test('is PDF even after other bytes', async () => {
    expect(await detectName(Buffer.concat([Buffer.from([0, 1, 2]), readSample('tax-form.pdf')]))).toBe('pdf');
  });

  test('is detected for any bytes without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => void (await detectKind(bytes, {}))),
    );
  });
});

test('the advice for a HEIC picture says how to convert it', () => {
  expect(explainUnsupported(heic)).toContain('export it as JPEG or PNG');
  expect(explainUnsupported(toBytes('%!PS'))).toContain('send a PDF');
});
