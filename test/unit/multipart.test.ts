import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { TooLarge, UnsupportedMediaType } from '../../shared/errors.ts';
import { multipartBody } from '../../shared/middleware/multipart.ts';
import { Name, object } from '../../shared/schemas/common.ts';
import { UploadedFile } from '../../shared/schemas/upload.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';
import { disposition, formOf, partOf, read } from '../support/forms.ts';

const file = (content: string | Buffer = 'x', rest = '; filename="a.txt"') =>
  partOf(disposition('file', rest), content);
const text = (name: string, content: string | Buffer) => partOf(disposition(name), content);

/** The file of a form that has nothing else wrong. */
async function fileOf(body: Buffer | string, contentType?: string): Promise<UploadedFile> {
  const { faults, body: parsed } = await read(body, contentType);
  expect(faults).toEqual([]);
  return parsed?.file as UploadedFile;
}

const nameFrom = async (rest: string) => (await fileOf(formOf([file('x', rest)]))).name;
const faultsOf = async (...parts: (Buffer | string)[]) =>
  (await read(formOf(parts))).faults.map(({ loc, type }) => `${loc.join('.')} ${type}`);
const malformed = ['body multipart_invalid'];

describe('the Content-Type', () => {
  test.each(['application/json', 'multipart/mixed; boundary=b', 'multipart/form-datax; boundary=b', 'text/plain', ''])(
    'is another: %j',
    async (type) => {
      for (const body of [formOf([file()]), '']) await expect(read(body, type)).rejects.toThrow(UnsupportedMediaType);
    },
  );

  test.each([
    'multipart/form-data;boundary=b',
    'Multipart/Form-Data ; BOUNDARY="b" ; charset=utf-8',
    'multipart/form-data; boundary=b ; charset=utf-8',
    'multipart/form-data; charset="a;boundary=c"; boundary = b',
    ' multipart/form-data;;\tboundary="\\b"',
  ])('may be written as %j', async (type) => {
    expect(await fileOf(formOf([file('content')]), type)).toMatchObject({ name: 'a.txt', type: 'text/plain' });
  });

  test.each(["'()+_,-./:=?", 'a b', '----WebKitFormBoundary7MA4YWxk', '-', '--', '*****', '=_{$%&}~', 'x'.repeat(70)])(
    'may have the boundary %j',
    async (boundary) => {
      const body = formOf([file(`\r\n-${boundary}`)], boundary);
      const { bytes } = await fileOf(body, `multipart/form-data; boundary="${boundary}"`);
      expect(Buffer.from(bytes).toString()).toBe(`\r\n-${boundary}`);
      if (!boundary.includes(' ')) await fileOf(body, `multipart/form-data; boundary=${boundary}; charset=utf-8`);
    },
  );

  test.each([
    '',
    ';',
    '; boundary',
    '; boundary=',
    '; boundary=""',
    '; boundary="a\\"b"',
    '; boundary=ö',
    '; a="; boundary=b"',
  ])('names no boundary: %j', async (rest) => {
    const { faults, body } = await read(formOf([file()]), `multipart/form-data${rest}`);
    expect(faults).toMatchObject([{ loc: ['header', 'content-type'], type: 'multipart_invalid' }]);
    expect(body).toBeUndefined();
  });
});

describe('a form', () => {
  test('is its text fields and its file', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 97, 13, 0]);
    const sent = partOf(`${disposition('file', '; filename="a.pdf"')}\r\nContent-Type: Application/PDF; a=b`, bytes);
    const { faults, body } = await read(formOf([text('name', 'Menü 😀'), sent, text('empty', '')]));
    expect(faults).toEqual([]);
    expect(body).toEqual({
      name: 'Menü 😀',
      empty: '',
      file: { name: 'a.pdf', type: 'application/pdf', sha256: createHash('sha256').update(bytes).digest('hex') },
    });
    expect(body).toHaveProperty('file.bytes', new Uint8Array(bytes));
  });

  test('has bytes that belong to nobody else, and that JSON leaves out', async () => {
    const sent = await fileOf(formOf([file('content')]));
    expect(sent.bytes.constructor).toBe(Uint8Array);
    expect(sent.bytes.buffer.byteLength).toBe(7);
    expect(Object.keys(JSON.parse(JSON.stringify(sent)))).toEqual(['name', 'type', 'sha256']);
  });

  test('may come as text', async () => {
    expect((await read(formOf([text('name', 'é'), file('ü')]).toString())).body).toMatchObject({ name: 'é' });
  });

  test('may have a preamble and an epilogue, and white space after boundaries', async () => {
    const part = file('content').toString('latin1');
    for (const body of [
      `preamble --b\r\n--b\r\n${part}\r\n--b--\r\nepilogue\r\n--b\r\n`,
      `\r\n--b \t\r\n${part}\r\n--b-- \r\n`,
      `--b\r\n${part}\r\n--b--`,
    ]) {
      expect(Buffer.from((await fileOf(body)).bytes).toString()).toBe('content');
    }
  });

  test('means the last of several texts of one name', async () => {
    const long = 'x'.repeat(9_000);
    const { body } = await read(formOf([text('a', long), file(), text('a', ''), text('b', '1'), text('a', '2')]));
    expect(body).toMatchObject({ a: '2', b: '1' });
    expect((await read(formOf([text('a', '1'), text('a', '2'), text('a', long)]))).body).toEqual({ a: long });
  });

  test('may have any names, those of JavaScript and of arrays too', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'a', 'a[b]', 'a[]', '[]', '', 'x'.repeat(5_000)];
    const { faults, body = {} } = await read(formOf([...names.map((name) => text(name, `of ${name}`)), file()]));
    expect(faults).toEqual([]);
    expect(Object.entries(body)).toEqual(expect.arrayContaining(names.map((name) => [name, `of ${name}`])));
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  test('has names without half characters, which no header could hold', async () => {
    const { body = {} } = await read(formOf([partOf("Content-Disposition: form-data; name*=utf-16le''%00%d8", 'x')]));
    expect(Object.keys(body)).toEqual(['\ufffd']);
  });

  test('may have other files, which are ignored', async () => {
    const other = partOf(disposition('other', '; filename="b.bin"'), Buffer.alloc(20_000, 255));
    expect(Object.keys((await read(formOf([other, file()]))).body ?? {})).toEqual(['file']);
  });

  test('fits a schema', async () => {
    const schema = object({ file: UploadedFile, name: v.nullish(Name(200)) });
    const { body } = await read(formOf([text('name', 'Menu'), file(), text('more', '')]));
    const { output } = v.safeParse(schema, body);
    expect(output).toEqual({ name: 'Menu', file: body?.file });
    expect((output as { file: UploadedFile }).file.bytes).toHaveLength(1);
    for (const file of [undefined, null, 'text', {}]) expect(v.is(schema, { file })).toBe(false);
  });
});

describe('the headers of a part', () => {
  test.each([
    'CONTENT-DISPOSITION: FORM-DATA; NAME=file; FILENAME=a.txt',
    'Content-Type: text/plain\r\nContent-Disposition:form-data;name="file";filename="a.txt"',
    'content-disposition \t: form-data ; name = "file" ; filename = "a.txt"',
    'Content-Disposition: form-data;\r\n name="file";\r\n\tfilename="a.txt"',
    'Content-Disposition: form-data; size=1; filename="a.txt"; x="; name=\\"other\\""; name="file"; y',
    'X-Empty:\r\nX-Other: é: \x01\r\nContent-Disposition: form-data; name="file"; filename="a.txt"',
  ])('may be %j', async (head) => {
    expect(await fileOf(formOf([partOf(head, 'x')]))).toMatchObject({ name: 'a.txt', type: 'text/plain' });
  });

  test.each([
    ['', 'text/plain'],
    ['Content-Type: image/svg+xml;charset="x"', 'image/svg+xml'],
    ['Content-Type: ', 'text/plain'],
    ['Content-Type: nonsense', 'application/octet-stream'],
    ['Content-Type: <script>/x', 'application/octet-stream'],
    [`Content-Type: ${'a'.repeat(128)}/b`, 'application/octet-stream'],
    [`Content-Type: a/${'b'.repeat(128)}`, 'application/octet-stream'],
  ])('may declare the type %j', async (header, type) => {
    const head = [disposition('file', '; filename="a"'), header].filter(Boolean).join('\r\n');
    expect((await fileOf(formOf([partOf(head, 'x')]))).type).toBe(type);
  });

  test.each([
    'Content-Type: text/plain',
    'Content-Disposition: attachment; name="file"',
    'Content-Disposition: form-data',
    'Content-Disposition: form-data; filename="a.txt"',
    'Content-Disposition: form-data; name="file"\r\nno header',
    'Content-Disposition: form-data; name="file"\r\n: x',
    'Content-Disposition: form-data; name="fi\nle"',
    'Content-Disposition: form-data; name="fi\rle"',
    ' folded: onto nothing\r\nContent-Disposition: form-data; name="file"',
    '',
  ])('are malformed: %j', async (head) => {
    for (const parts of [[partOf(head, 'x')], [partOf(head, 'x'), file()], [text('a', '1'), partOf(head, '')]]) {
      expect(await faultsOf(...parts)).toEqual(malformed);
    }
  });

  test.each(['base64', 'Quoted-Printable'])('may not encode the content: %s', async (encoding) => {
    expect(await faultsOf(partOf(`${disposition('a')}\r\nContent-Transfer-Encoding: ${encoding}`, 'eA=='))).toEqual(
      malformed,
    );
    expect(await faultsOf(partOf(`${disposition('a')}\r\nContent-Transfer-Encoding: 8BIT `, 'x'))).toEqual([]);
  });

  test('may have 16 KB', async () => {
    const head = (size: number) => `${disposition('file', '; filename="a"')}\r\nX: `.padEnd(size, 'x');
    expect(await faultsOf(partOf(head(16 * 1024), 'x'))).toEqual([]);
    expect(await faultsOf(partOf(head(16 * 1024 + 1), 'x'))).toEqual(malformed);
    expect(await faultsOf(partOf(`X:\r\n`.repeat(4_000) + disposition('a'), 'x'))).toEqual(malformed);
  });

  test('may stand without content and blank line', async () => {
    expect((await read(`--b\r\n${disposition('a')}\r\n\r\n--b\r\n${disposition('c')}\r\n\r\n\r\n--b--`)).body).toEqual({
      a: '',
      c: '',
    });
    expect((await read(`--b\r\n${disposition('a')}\r\n--b--`)).faults).toHaveLength(1);
  });
});

describe('the name of a file', () => {
  test.each([
    ['; filename="Menü 😀 日本語.pdf"', 'Menü 😀 日本語.pdf'],
    ["; filename*=UTF-8''Men%C3%BC%20%F0%9F%98%80.pdf", 'Menü 😀.pdf'],
    ["; filename*=iso-8859-1'en'%A3%20rates", '£ rates'],
    ['; filename="=?utf-8?B?w6Q=?="; filename*=utf-8\'\'%C3%A4', 'ä'],
    ['; filename*=utf-8\'\'%C3%A4; filename="a; filename*=b"', 'ä'],
    ['; filename=a; filename*=utf-8\'\'%C3%A4; x="y"', 'ä'],
    ['; filename="a; filename*=b"', 'a; filename*=b'],
    ['; filename="say %22hi%22 100%25 %20.pdf"', 'say "hi" 100%25 %20.pdf'],
    ['; filename="say \\"hi\\" \\\\"', ''],
    ['; filename="say \\"hi\\""', 'say "hi"'],
    ['; filename="it\'s; a=b"', "it's; a=b"],
    ['; filename="a%0D%0Ab\tc\x7f"', 'a  b c '],
    ['; filename="../../etc/passwd"', 'passwd'],
    ['; filename="C:\\docs\\a.pdf"', 'a.pdf'],
    ['; filename="/"', ''],
    ['; filename=".."', ''],
    ['; filename=""', ''],
    [`; filename="${'ü'.repeat(1_000)}"`, 'ü'.repeat(1_000)],
    ["; filename*=utf-16le''%00%d8", '\ufffd'],
  ])('%j', async (rest, name) => {
    expect(await nameFrom(rest)).toBe(name);
  });

  test('is empty for a file that has only a type', async () => {
    const sent = partOf(`${disposition('file')}\r\nContent-Type: application/pdf`, 'x');
    expect(await fileOf(formOf([sent]))).toMatchObject({ name: '', type: 'application/pdf' });
  });
});

describe('a file', () => {
  test('is missing, which the schema of the route tells', async () => {
    const types = `${disposition('file', '; filename=""')}\r\nContent-Type: application/octet-stream`;
    for (const parts of [
      [],
      [text('a', '1')],
      [text('file', 'x')],
      [partOf(types, '')],
      [partOf(disposition('File'), 'x')],
    ]) {
      const { faults, body } = await read(formOf(parts));
      expect(faults).toEqual([]);
      expect(body).not.toHaveProperty('file');
    }
  });

  test('is empty', async () => {
    expect(await faultsOf(file(''))).toEqual(['body.file file_empty']);
  });

  test('comes twice', async () => {
    expect(await faultsOf(file(), text('a', 'x'), file())).toEqual(['body.file too_many_files']);
    expect(await faultsOf(file(), text('file', 'x'))).toEqual([]);
  });

  test('is too large beyond 4 MB, which is told before anything else', async () => {
    const ofBytes = (size: number) => file(Buffer.alloc(size, 'x'));
    const { bytes } = await fileOf(formOf([ofBytes(4 * 1024 * 1024)]));
    expect(bytes).toHaveLength(4 * 1024 * 1024);
    const sent = read(formOf([text('a', Buffer.from([255])), file(''), ofBytes(4 * 1024 * 1024 + 1)]));
    await expect(sent).rejects.toThrow(TooLarge);
    await expect(sent).rejects.toMatchObject({
      detail: [
        { loc: ['body', 'file'], msg: expect.stringMatching(/4 MB.*POST \/assistants\/knowledge-base\/uploads/) },
      ],
    });
  });
});

describe('the limits', () => {
  test('are 20 parts', async () => {
    const texts = Array.from({ length: 21 }, (_, i) => text(`a${i}`, 'x'));
    expect(Object.keys((await read(formOf(texts.slice(1)))).body ?? {})).toHaveLength(20);
    expect(await faultsOf(...texts)).toEqual(malformed);
    expect((await read(formOf(Array(400_000).fill('')))).faults).toHaveLength(1);
  });

  test('are 10 KB a text', async () => {
    expect(await faultsOf(text('a', 'x'.repeat(10 * 1024)))).toEqual([]);
    expect(await faultsOf(text('a', 'x'.repeat(10 * 1024 + 1)), file(''))).toEqual([
      'body.file file_empty',
      'body.a bytes_too_long',
    ]);
  });

  test('are UTF-8 without NUL in a text', async () => {
    expect(await faultsOf(text('a', Buffer.from([0xc3])), text('b'.repeat(200), '\0'))).toEqual([
      'body.a string_unicode',
      `body.${'b'.repeat(100)}… string_unicode`,
    ]);
  });
});

describe('a malformed body', () => {
  const whole = formOf([text('a', '1'), file()]).toString();

  test.each([
    ['', 'that is empty'],
    ['--b', 'of half a boundary'],
    ['--b\r\n--b--', 'with a part of nothing'],
    [whole.replaceAll('\r', ''), 'with lines that end in LF'],
    [whole.replaceAll('--b', '--c'), 'with another boundary'],
    [whole.replace('--b\r\n', '--bx\r\n'), 'with a boundary that goes on'],
    ['{"file": "x"}', 'that is JSON'],
  ])('is one fault, which echoes nothing: %j', async (body) => {
    const { faults, body: parsed } = await read(body);
    expect(faults).toEqual([
      { loc: ['body'], msg: expect.stringMatching(/^The body is not valid/), type: 'multipart_invalid' },
    ]);
    expect(parsed).toBeUndefined();
  });

  test('may be none', async () => {
    const request = { event: { body: null, headers: { 'content-type': 'multipart/form-data; boundary=b' } } };
    const internal: { faults: object[] } = { faults: [] };
    await multipartBody().before?.({ ...request, internal } as never);
    expect(internal.faults).toMatchObject([{ loc: ['body'], type: 'multipart_invalid' }]);
  });

  test.each([
    ['boundaries', '\r\n--', 'b'],
    ['quotes', '"', '='],
    ['half boundaries', `\r\n--${'-'.repeat(199)}x`, '-'.repeat(200)],
    ['white space', ' '.repeat(1_000), 'b'],
  ])('takes no longer for %s', async (_, unit, boundary) => {
    const hostile = unit.repeat(Math.floor((4 * 1024 * 1024) / unit.length));
    const head = `${disposition('file')}; ${hostile.replaceAll('\r\n', '').slice(0, 16_000)}`;
    const before = process.cpuUsage();
    for (const part of [partOf(disposition('file', '; filename=a'), hostile), partOf(head, 'x'), hostile]) {
      await read(formOf([part], boundary), `multipart/form-data; boundary="${boundary}"`);
    }
    expect(cpuTimeSince(before)).toBeLessThan(3_000); // about 100 ms
  });
});
