import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { TooLarge, UnsupportedMediaType } from '../../shared/errors.ts';
import { multipartBody } from '../../shared/http/middleware/multipart.ts';
import { Name, object } from '../../shared/schemas/common.ts';
import { UploadedFile } from '../../shared/schemas/upload.ts';
import { cpuTimeSince } from '../support/cpu-time.ts';
import { buildDisposition, buildForm, buildPart, parseForm } from '../support/forms.ts';

const buildFile = (content: string | Buffer = 'x', rest = '; filename="a.txt"') =>
  buildPart(buildDisposition('file', rest), content);
const buildText = (name: string, content: string | Buffer) => buildPart(buildDisposition(name), content);

/** Returns the file of a form without faults. */
async function parseFile(body: Buffer | string, contentType?: string): Promise<UploadedFile> {
  const { faults, body: parsed } = await parseForm(body, contentType);
  expect(faults).toEqual([]);
  return parsed?.file as UploadedFile;
}

const parseName = async (rest: string) => (await parseFile(buildForm([buildFile('x', rest)]))).name;
const listFaults = async (...parts: (Buffer | string)[]) =>
  (await parseForm(buildForm(parts))).faults.map(({ loc, type }) => `${loc.join('.')} ${type}`);
const malformed = ['body multipart_invalid'];

describe('the Content-Type', () => {
  test.each(['application/json', 'multipart/mixed; boundary=b', 'multipart/form-datax; boundary=b', 'text/plain', ''])(
    'is rejected: %j',
    async (type) => {
      for (const body of [buildForm([buildFile()]), ''])
        await expect(parseForm(body, type)).rejects.toThrow(UnsupportedMediaType);
    },
  );

  test.each([
    'multipart/form-data;boundary=b',
    'Multipart/Form-Data ; BOUNDARY="b" ; charset=utf-8',
    'multipart/form-data; boundary=b ; charset=utf-8',
    'multipart/form-data; charset="a;boundary=c"; boundary = b',
    ' multipart/form-data;;\tboundary="\\b"',
  ])('may be written as %j', async (type) => {
    expect(await parseFile(buildForm([buildFile('content')]), type)).toMatchObject({
      name: 'a.txt',
      type: 'text/plain',
    });
  });

  test.each(["'()+_,-./:=?", 'a b', '----WebKitFormBoundary7MA4YWxk', '-', '--', '*****', '=_{$%&}~', 'x'.repeat(70)])(
    'may have the boundary %j',
    async (boundary) => {
      const body = buildForm([buildFile(`\r\n-${boundary}`)], boundary);
      const { bytes } = await parseFile(body, `multipart/form-data; boundary="${boundary}"`);
      expect(Buffer.from(bytes).toString()).toBe(`\r\n-${boundary}`);
      if (!boundary.includes(' ')) await parseFile(body, `multipart/form-data; boundary=${boundary}; charset=utf-8`);
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
  ])('is a fault without a boundary: %j', async (rest) => {
    const { faults, body } = await parseForm(buildForm([buildFile()]), `multipart/form-data${rest}`);
    expect(faults).toMatchObject([{ loc: ['header', 'content-type'], type: 'multipart_invalid' }]);
    expect(body).toBeUndefined();
  });
});

describe('a form', () => {
  test('is parsed to its text fields and its file', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45, 97, 13, 0]);
    const sent = buildPart(
      `${buildDisposition('file', '; filename="a.pdf"')}\r\nContent-Type: Application/PDF; a=b`,
      bytes,
    );
    const { faults, body } = await parseForm(buildForm([buildText('name', 'Menü 😀'), sent, buildText('empty', '')]));
    expect(faults).toEqual([]);
    expect(body).toEqual({
      name: 'Menü 😀',
      empty: '',
      file: { name: 'a.pdf', type: 'application/pdf', sha256: createHash('sha256').update(bytes).digest('hex') },
    });
    expect(body).toHaveProperty('file.bytes', new Uint8Array(bytes));
  });

  test('has file bytes in a buffer of their own size, which JSON omits', async () => {
    const sent = await parseFile(buildForm([buildFile('content')]));
    expect(sent.bytes.constructor).toBe(Uint8Array);
    expect(sent.bytes.buffer.byteLength).toBe(7);
    expect(Object.keys(JSON.parse(JSON.stringify(sent)))).toEqual(['name', 'type', 'sha256']);
  });

  test('may be a string instead of base64', async () => {
    expect((await parseForm(buildForm([buildText('name', 'é'), buildFile('ü')]).toString())).body).toMatchObject({
      name: 'é',
    });
  });

  test('may have a preamble and an epilogue, and white space after boundaries', async () => {
    const part = buildFile('content').toString('latin1');
    for (const body of [
      `preamble --b\r\n--b\r\n${part}\r\n--b--\r\nepilogue\r\n--b\r\n`,
      `\r\n--b \t\r\n${part}\r\n--b-- \r\n`,
      `--b\r\n${part}\r\n--b--`,
    ]) {
      expect(Buffer.from((await parseFile(body)).bytes).toString()).toBe('content');
    }
  });

  test('has the last of several texts with the same name', async () => {
    const long = 'x'.repeat(9_000);
    const { body } = await parseForm(
      buildForm([buildText('a', long), buildFile(), buildText('a', ''), buildText('b', '1'), buildText('a', '2')]),
    );
    expect(body).toMatchObject({ a: '2', b: '1' });
    expect((await parseForm(buildForm([buildText('a', '1'), buildText('a', '2'), buildText('a', long)]))).body).toEqual(
      { a: long },
    );
  });

  test('may have any field names, including __proto__ and a[]', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'a', 'a[b]', 'a[]', '[]', '', 'x'.repeat(5_000)];
    const { faults, body = {} } = await parseForm(
      buildForm([...names.map((name) => buildText(name, `of ${name}`)), buildFile()]),
    );
    expect(faults).toEqual([]);
    expect(Object.entries(body)).toEqual(expect.arrayContaining(names.map((name) => [name, `of ${name}`])));
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
  });

  test('has well-formed field names, with lone surrogates replaced', async () => {
    const { body = {} } = await parseForm(
      buildForm([buildPart("Content-Disposition: form-data; name*=utf-16le''%00%d8", 'x')]),
    );
    expect(Object.keys(body)).toEqual(['\ufffd']);
  });

  test('ignores other files', async () => {
    const other = buildPart(buildDisposition('other', '; filename="b.bin"'), Buffer.alloc(20_000, 255));
    expect(Object.keys((await parseForm(buildForm([other, buildFile()]))).body ?? {})).toEqual(['file']);
  });

  test('can be validated by a schema', async () => {
    const schema = object({ file: UploadedFile, name: v.nullish(Name(200)) });
    const { body } = await parseForm(buildForm([buildText('name', 'Menu'), buildFile(), buildText('more', '')]));
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
    expect(await parseFile(buildForm([buildPart(head, 'x')]))).toMatchObject({ name: 'a.txt', type: 'text/plain' });
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
    const head = [buildDisposition('file', '; filename="a"'), header].filter(Boolean).join('\r\n');
    expect((await parseFile(buildForm([buildPart(head, 'x')]))).type).toBe(type);
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
  ])('are a fault if malformed: %j', async (head) => {
    for (const parts of [
      [buildPart(head, 'x')],
      [buildPart(head, 'x'), buildFile()],
      [buildText('a', '1'), buildPart(head, '')],
    ]) {
      expect(await listFaults(...parts)).toEqual(malformed);
    }
  });

  test.each(['base64', 'Quoted-Printable'])('must not declare that the content is encoded: %s', async (encoding) => {
    expect(
      await listFaults(buildPart(`${buildDisposition('a')}\r\nContent-Transfer-Encoding: ${encoding}`, 'eA==')),
    ).toEqual(malformed);
    expect(await listFaults(buildPart(`${buildDisposition('a')}\r\nContent-Transfer-Encoding: 8BIT `, 'x'))).toEqual(
      [],
    );
  });

  test('may have at most 16 KB', async () => {
    const buildHead = (size: number) => `${buildDisposition('file', '; filename="a"')}\r\nX: `.padEnd(size, 'x');
    expect(await listFaults(buildPart(buildHead(16 * 1024), 'x'))).toEqual([]);
    expect(await listFaults(buildPart(buildHead(16 * 1024 + 1), 'x'))).toEqual(malformed);
    expect(await listFaults(buildPart(`X:\r\n`.repeat(4_000) + buildDisposition('a'), 'x'))).toEqual(malformed);
  });

  test('may come without content', async () => {
    expect(
      (await parseForm(`--b\r\n${buildDisposition('a')}\r\n\r\n--b\r\n${buildDisposition('c')}\r\n\r\n\r\n--b--`)).body,
    ).toEqual({
      a: '',
      c: '',
    });
    expect((await parseForm(`--b\r\n${buildDisposition('a')}\r\n--b--`)).faults).toHaveLength(1);
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
  ])('from %j is %j', async (rest, name) => {
    expect(await parseName(rest)).toBe(name);
  });

  test('is empty for a file with a Content-Type only', async () => {
    const sent = buildPart(`${buildDisposition('file')}\r\nContent-Type: application/pdf`, 'x');
    expect(await parseFile(buildForm([sent]))).toMatchObject({ name: '', type: 'application/pdf' });
  });
});

describe('a file', () => {
  test('may be missing, which the schema of the route reports', async () => {
    const types = `${buildDisposition('file', '; filename=""')}\r\nContent-Type: application/octet-stream`;
    for (const parts of [
      [],
      [buildText('a', '1')],
      [buildText('file', 'x')],
      [buildPart(types, '')],
      [buildPart(buildDisposition('File'), 'x')],
    ]) {
      const { faults, body } = await parseForm(buildForm(parts));
      expect(faults).toEqual([]);
      expect(body).not.toHaveProperty('file');
    }
  });

  test('must not be empty', async () => {
    expect(await listFaults(buildFile(''))).toEqual(['body.file file_empty']);
  });

  test('must be the only one', async () => {
    expect(await listFaults(buildFile(), buildText('a', 'x'), buildFile())).toEqual(['body.file too_many_files']);
    expect(await listFaults(buildFile(), buildText('file', 'x'))).toEqual([]);
  });

  test('is too large beyond 4 MB, which takes precedence over other faults', async () => {
    const buildSizedFile = (size: number) => buildFile(Buffer.alloc(size, 'x'));
    const { bytes } = await parseFile(buildForm([buildSizedFile(4 * 1024 * 1024)]));
    expect(bytes).toHaveLength(4 * 1024 * 1024);
    const sent = parseForm(
      buildForm([buildText('a', Buffer.from([255])), buildFile(''), buildSizedFile(4 * 1024 * 1024 + 1)]),
    );
    await expect(sent).rejects.toThrow(TooLarge);
    await expect(sent).rejects.toMatchObject({
      detail: [
        { loc: ['body', 'file'], msg: expect.stringMatching(/4 MB.*POST \/assistants\/knowledge-base\/uploads/) },
      ],
    });
  });
});

describe('the parser of forms', () => {
  test('accepts at most 20 parts', async () => {
    const texts = Array.from({ length: 21 }, (_, i) => buildText(`a${i}`, 'x'));
    expect(Object.keys((await parseForm(buildForm(texts.slice(1)))).body ?? {})).toHaveLength(20);
    expect(await listFaults(...texts)).toEqual(malformed);
    expect((await parseForm(buildForm(Array(400_000).fill('')))).faults).toHaveLength(1);
  });

  test('limits each text field to 10 KB', async () => {
    expect(await listFaults(buildText('a', 'x'.repeat(10 * 1024)))).toEqual([]);
    expect(await listFaults(buildText('a', 'x'.repeat(10 * 1024 + 1)), buildFile(''))).toEqual([
      'body.file file_empty',
      'body.a bytes_too_long',
    ]);
  });

  test('requires text fields to be UTF-8 without NUL', async () => {
    expect(await listFaults(buildText('a', Buffer.from([0xc3])), buildText('b'.repeat(200), '\0'))).toEqual([
      'body.a string_unicode',
      `body.${'b'.repeat(100)}… string_unicode`,
    ]);
  });
});

describe('a malformed body', () => {
  const whole = buildForm([buildText('a', '1'), buildFile()]).toString();

  test.each([
    ['', 'that is empty'],
    ['--b', 'of half a boundary'],
    ['--b\r\n--b--', 'with a part of nothing'],
    [whole.replaceAll('\r', ''), 'with lines that end in LF'],
    [whole.replaceAll('--b', '--c'), 'with another boundary'],
    [whole.replace('--b\r\n', '--bx\r\n'), 'with a boundary that goes on'],
    ['{"file": "x"}', 'that is JSON'],
  ])('is a single fault without an echo: %j', async (body) => {
    const { faults, body: parsed } = await parseForm(body);
    expect(faults).toEqual([
      { loc: ['body'], msg: expect.stringMatching(/^The body is not valid/), type: 'multipart_invalid' },
    ]);
    expect(parsed).toBeUndefined();
  });

  test('may be absent', async () => {
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
  ])('is parsed in linear time: %s', async (_, unit, boundary) => {
    const hostile = unit.repeat(Math.floor((4 * 1024 * 1024) / unit.length));
    const head = `${buildDisposition('file')}; ${hostile.replaceAll('\r\n', '').slice(0, 16_000)}`;
    const before = process.cpuUsage();
    for (const part of [buildPart(buildDisposition('file', '; filename=a'), hostile), buildPart(head, 'x'), hostile]) {
      await parseForm(buildForm([part], boundary), `multipart/form-data; boundary="${boundary}"`);
    }
    expect(cpuTimeSince(before)).toBeLessThan(3_000); // about 100 ms
  });
});
