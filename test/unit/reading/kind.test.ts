import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { kindOf } from '../../../shared/reading/kind.ts';
import { bytesOf, sample } from '../../support/documents.ts';

const nameOf = async (bytes: Uint8Array, hint = {}) => (await kindOf(bytes, hint))?.name;
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const swapped = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le').swap16());

describe('the kind of a file', () => {
  test.each([
    ['fairy-tales.pdf', 'pdf', 'application/pdf'],
    ['tables.docx', 'docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['scanned-page.png', 'png', 'image/png'],
    ['lines-turned.jpg', 'jpeg', 'image/jpeg'],
    ['lines.webp', 'webp', 'image/webp'],
    ['lines.tiff', 'tiff', 'image/tiff'],
  ])('is what its bytes say, whatever it is called: %s', async (file, name, mediaType) => {
    expect(await kindOf(sample(file), { fileName: 'notes.txt', contentType: 'text/html' })).toEqual({
      name,
      mediaType,
    });
  });

  test.each([
    ['a program', Buffer.from('4d5a90000300000004000000ffff0000b8000000', 'hex')],
    ['a GIF', Buffer.from('47494638396101000100800000ffffff00000021f9', 'hex')],
    ['a zip that is no DOCX', zipSync({ 'a.txt': bytesOf('a') })],
    [
      'a spreadsheet',
      zipSync({ '[Content_Types].xml': bytesOf(contentTypes('spreadsheetml.sheet')), 'xl/a.xml': bytesOf('') }),
    ],
    ['RTF', bytesOf('{\\rtf1 Hello}')],
    ['PostScript', bytesOf('%!PS-Adobe-3.0\nshowpage')],
    ['nothing', new Uint8Array()],
    ['text with a NUL', bytesOf('Hello\0there')],
    ['text with control characters', bytesOf('Hello \u0001\u0002 there')],
    ['another encoding', Buffer.from('93fa967b8cea82cc8eab8f91', 'hex')],
    ['numbers', new Uint8Array(Uint16Array.from({ length: 500 }, (_, i) => (i % 9 ? i * 131 : 7)).buffer)],
  ])('is none where it is %s, even if it is called a PDF', async (_, bytes) => {
    expect(await kindOf(bytes, { fileName: 'a.pdf', contentType: 'application/pdf' })).toBeUndefined();
    expect(await kindOf(bytes, { fileName: 'a.txt', contentType: 'text/plain' })).toBeUndefined();
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
  ])('of text is what %s and %s say: %s', async (fileName, contentType, name) => {
    expect(await nameOf(bytesOf('Hello there'), { fileName, contentType })).toBe(name);
  });

  test('of text is HTML where nobody says anything but the text', async () => {
    expect(await nameOf(bytesOf('\n<!DOCTYPE html><p>Hello'))).toBe('html');
  });

  test.each([
    ['UTF-8', bytesOf('Grüße')],
    ['UTF-8 with its mark', bytesOf('\ufeffGrüße')],
    ['UTF-16 with its mark', utf16('\ufeff你好')],
    ['UTF-16 with its mark, the other way', swapped('\ufeff你好')],
    ['UTF-16', utf16('Grüße 你好\n')],
    ['UTF-16, the other way', swapped('Grüße 你好\n')],
    ['Windows-1252', Buffer.from('\x93Gr\xfc\xdfe aus Bern\x94', 'latin1')],
    ['what begins as bitmaps do', bytesOf('BM is short for Bench Mark')],
    ['what begins as archives do', bytesOf('PK is a code')],
    ['text with colours of a terminal', bytesOf('\u001b[1mHello\u001b[0m\f')],
  ])('is text in %s', async (_, bytes) => {
    expect(await nameOf(bytes)).toBe('txt');
  });

  test('is PDF where something comes before it', async () => {
    expect(await nameOf(Buffer.concat([Buffer.from([0, 1, 2]), sample('tax-form.pdf')]))).toBe('pdf');
  });

  test('is found for any bytes at all, without an error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => void (await kindOf(bytes, {}))),
    );
  });
});

function contentTypes(format: string) {
  const type = `application/vnd.openxmlformats-officedocument.${format}.main+xml`;
  return `<?xml version="1.0"?><Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`;
}
