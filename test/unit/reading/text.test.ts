import { describe, expect, test } from 'vitest';
import { limits } from '../../../shared/reading/limits.ts';
import { parseFile } from '../../../shared/reading/parse-file.ts';
import { maxTextBytes } from '../../../shared/schemas/knowledge-base.ts';
import { catchReason, parseAs, parseText, parseWarnings, toBytes } from '../../support/documents.ts';

const encodeUtf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));

describe('text', () => {
  test.each([
    ['UTF-8 with a byte order mark', toBytes('\ufeffGrüße – 你好')],
    ['UTF-16 with a byte order mark', encodeUtf16('\ufeffGrüße – 你好')],
    ['UTF-16', encodeUtf16('Grüße – 你好')],
    ['big-endian UTF-16', new Uint8Array(Buffer.from('Grüße – 你好', 'utf16le').swap16())],
  ])('is decoded from %s', async (_, bytes) => {
    expect(await parseText('a.txt', bytes)).toBe('Grüße – 你好');
  });

  test('is decoded from Windows-1252, including quotes and dashes', async () => {
    expect(await parseText('a.txt', Buffer.from('\x93Gr\xfc\xdfe\x94 \x96 10 \x80', 'latin1'))).toBe('“Grüße” – 10 €');
  });

  test('is decoded from the encoding that HTML declares', async () => {
    const html = Buffer.concat([Buffer.from('<meta charset="Shift_JIS"><p>'), Buffer.from('93fa967b8cea', 'hex')]);
    expect(await parseText('a.html', html)).toBe('日本語');
  });

  test('has uniform line ends, no trailing spaces and no control characters', async () => {
    expect(await parseText('a.txt', 'a \r\nb\t\rc\f\n\n\n\u001b[1md\ufeff\n')).toBe('a\nb\nc\n\n[1md');
  });

  test('is read without the few characters of UTF-8 that no text has', async () => {
    const line = 'We open at nine. '.repeat(100);
    expect(await parseText('a.txt', `${line}\0\u0003end\u001a`)).toBe(`${line}end`);
    expect(await catchReason(parseFile(toBytes(`${line}\0\0\0\0`), { name: 'txt', mediaType: 'text/plain' }))).toBe(
      'unknown_encoding',
    );
  });

  test('is unchanged if it is Markdown', async () => {
    expect(await parseText('a.md', '# Head\n\n- *one*\n    code')).toBe('# Head\n\n- *one*\n    code');
  });

  test('is missing if the file is blank', async () => {
    expect(await catchReason(parseAs('a.txt', toBytes(' \n\t ')))).toBe('no_text');
    expect(await catchReason(parseFile(new Uint8Array(), { name: 'txt', mediaType: 'text/plain' }))).toBe('empty');
  });

  test.each(['a.txt', 'a.md', 'a.html', 'a.csv', 'a.json'])('may have at most 10 MB: %s', async (name) => {
    expect(await catchReason(parseAs(name, toBytes('ä'.repeat(5_000_001))))).toBe('too_large');
  });

  test('may be as large as uploads of text', () => {
    expect(limits.textFileBytes).toBe(maxTextBytes);
  });

  test('may have 10 MB, and that of another file 30 MB', async () => {
    expect((await parseAs('a.txt', toBytes('ä'.repeat(5_000_000))))[0]?.text).toHaveLength(5_000_000);
    const rtf = (length: number) => toBytes(`{\\rtf1 ${'a'.repeat(length)}}`);
    expect((await parseAs('a.rtf', rtf(29_999_000)))[0]?.text).toHaveLength(29_999_000);
    expect(await catchReason(parseAs('a.rtf', rtf(30_000_001)))).toBe('too_large');
    expect(await catchReason(parseAs('a.rtf', rtf(50_000_001)))).toBe('too_large');
  });

  test('has an unknown encoding if it turns out to be binary', async () => {
    const binary = toBytes('a\0\0b\u0001');
    expect(await catchReason(parseFile(binary, { name: 'csv', mediaType: 'text/csv' }))).toBe('unknown_encoding');
  });
});

describe('HTML', () => {
  test('is parsed to its visible text', async () => {
    const html = `<head><title>A title</title><style>p { color: red }</style></head><body><!-- no --><h1>Head</h1>
      <p>One <b>bo</b>ld,\n two<br>three&nbsp;&amp;&#32;four</p><script>no()</script>
      <ul><li>a<li><p>b</p><ol><li>n</li><li>m</ol></ul>
      <table><tr><th>Key<th>Value<tr><td><p>x</p><p>y</p></td><td></td><td>z</td></tr></table>
      <pre>a\n  b</pre>end`;
    expect(await parseText('a.html', html)).toBe(
      'A title\n\nHead\n\nOne bold, two\nthree\u00a0& four\n\n- a\n- b\n\n1. n\n2. m\nKey | Value\nx y | | z\n\na\n  b\n\nend'.replace(
        '\u00a0',
        ' ',
      ),
    );
  });

  test('has formulas, but not their source in TeX', async () => {
    const formula = '<mi>a</mi><mo>=</mo><msup><mi>b</mi><mn>2</mn></msup>';
    const html = `<p>Area <math><semantics>${formula}<annotation encoding="application/x-tex">a=b^2</annotation></semantics></math></p>`;
    expect(await parseText('a.html', html)).toBe('Area a=b2');
  });

  test.each(['<div>', '<table><tr><td>', '<ul><li>'])(
    'is rejected quickly if it is nested too deep: %s',
    async (tags) => {
      expect(await parseText('a.html', `${tags.repeat(500)}core`)).toMatch(/^(- )?core$/);
      expect(await catchReason(parseAs('a.html', toBytes(`${tags.repeat(200_000)}core`)))).toBe('too_deep');
    },
  );

  test('is parsed as far as possible if a tag is never closed', async () => {
    expect(await parseText('a.html', 'a<b>c')).toBe('ac');
    expect(await catchReason(parseAs('a.html', toBytes('<script>a')))).toBe('no_text');
  });
});

describe('CSV', () => {
  test('has a line per row, with a column name before each value', async () => {
    const csv = 'name,city,note\nAnna,Bern,"said ""hi"",\nthen left"\nBo,,\n\n';
    expect(await parseText('a.csv', csv)).toBe(
      'name | city | note\nname: Anna | city: Bern | note: said "hi", then left\nname: Bo',
    );
  });

  test('keeps its first row if that is none of column names', async () => {
    expect(await parseText('a.csv', 'Anna,Bern\nBo,')).toBe('Anna | Bern\nAnna: Bo');
  });

  test('may have a long row, whose commas separate nothing', async () => {
    const names = ['id', 'text', ...'abcdefghij'].join(';');
    const csv = `${names}\n7;One, two, ${'word '.repeat(250_000)};${'x;'.repeat(9)}x\n`;
    expect(await parseText('a.csv', csv)).toMatch(/id: 7 \| text: One, two, word/);
  });

  test('may be separated by semicolons or tabs', async () => {
    expect(await parseText('a.csv', 'a;b\n1,5;2')).toBe('a | b\na: 1,5 | b: 2');
    expect(await parseText('a.tsv', 'a\tb\n1\t2')).toBe('a | b\na: 1 | b: 2');
  });

  test('has its cells read, however many spaces are in one, or tabs before it', async () => {
    expect(await parseText('a.tsv', `${'n\t'.repeat(25)}n\n${'\t'.repeat(25)}7\n`)).toContain('7');
    expect(await parseText('a.csv', `a,b\n"x${' '.repeat(9_900_000)}y",z`)).toBe('a | b\na: x y | b: z');
  });

  test('has only values without column names', async () => {
    expect(await parseText('a.csv', '1,2\n3,4')).toBe('1 | 2\n3 | 4');
    expect(await parseText('a.csv', 'a,a\n3,4')).toBe('a | a\n3 | 4');
    expect(await parseText('a.csv', 'one\ntwo')).toBe('one\ntwo');
  });

  test('may have rows that are too long, too short or unterminated', async () => {
    expect(await parseText('a.csv', 'a,b\n1\n1,2,3\n"x')).toBe('a | b\na: 1\na: 1 | b: 2 | 3\na: x');
    expect(await parseText('a.csv', 'a,b')).toBe('a | b');
  });

  test('has its column names once if they would make the text too large, and a warning', async () => {
    const names = ['a'.repeat(10_000), 'b'];
    const csv = toBytes(`${names.join()}\n${'1,2\n'.repeat(4_000)}`);
    expect((await parseAs('a.csv', csv))[0]?.text).toBe(`${names.join(' | ')}\n${'1 | 2\n'.repeat(4_000)}`.trim());
    expect(await parseWarnings('a.csv', csv)).toEqual([{ type: 'names_left_out', msg: expect.any(String) }]);
  });
});

describe('JSON', () => {
  test('has a line per value, with its path', async () => {
    const json = { shop: 'A', open: true, none: null, orders: [{ item: 'Tea\nbag', 'in stock': 0 }, {}, []], '': 1 };
    expect(await parseText('a.json', JSON.stringify(json))).toBe(
      'shop: A\nopen: true\norders[0].item: Tea bag\norders[0].in stock: 0\n1',
    );
    expect(await parseText('a.json', '"alone"')).toBe('alone');
  });

  test('has its numbers as they are written', async () => {
    const json =
      '{"id":12345678901234567890,"price":10.50,"list":[1e3,-0 , 7],"text":"\\"a\\": 1.50, \\\\","next":2.0}';
    expect(await parseText('a.json', json)).toBe(
      'id: 12345678901234567890\nprice: 10.50\nlist[0]: 1e3\nlist[1]: -0\nlist[2]: 7\ntext: "a": 1.50, \\\nnext: 2.0',
    );
    expect(await parseText('a.json', '1.50')).toBe('1.50');
    for (const damaged of ['[01.50]', '{1.50:1}', '["a"1.50]', '[1.50.1]', '[a1.50]', '{"a":"1.50}']) {
      expect(await catchReason(parseAs('a.json', toBytes(damaged)))).toBe('damaged');
    }
  });

  test('has keys instead of paths if they would make the text too large, and a warning', async () => {
    const key = 'a'.repeat(10_000);
    const json = toBytes(JSON.stringify({ [key]: Array.from({ length: 4_000 }, () => 1), b: { c: 2, d: [{}] } }));
    expect((await parseAs('a.json', json))[0]?.text).toBe(`${key}\n${'1\n'.repeat(4_000)}b\nc: 2\nd`);
    expect(await parseWarnings('a.json', json)).toEqual([{ type: 'names_left_out', msg: expect.any(String) }]);
  });

  test('may start with a byte order mark', async () => {
    expect(await parseText('a.json', '\ufeff{"a":1}')).toBe('a: 1');
  });

  test.each([
    ['damaged', '{"a":'],
    ['no_text', '{}'],
    ['damaged', 'call stack'],
    ['too_deep', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`],
    ['too_deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['too_large', `"${'a'.repeat(20_000_000)}"`],
  ])('is rejected as %s', async (reason, json) => {
    expect(await catchReason(parseAs('a.json', toBytes(json)))).toBe(reason);
  });
});
