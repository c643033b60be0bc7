import { describe, expect, test } from 'vitest';
import { read } from '../../../shared/reading/read.ts';
import { bytesOf, readAs, reasonOf, textAs } from '../../support/documents.ts';

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));

describe('text', () => {
  test.each([
    ['UTF-8 with its mark', bytesOf('\ufeffGrüße – 你好')],
    ['UTF-16 with its mark', utf16('\ufeffGrüße – 你好')],
    ['UTF-16', utf16('Grüße – 你好')],
    ['UTF-16, the other way', new Uint8Array(Buffer.from('Grüße – 你好', 'utf16le').swap16())],
  ])('is read in %s', async (_, bytes) => {
    expect(await textAs('a.txt', bytes)).toBe('Grüße – 你好');
  });

  test('is read in Windows-1252, quotes and dashes included', async () => {
    expect(await textAs('a.txt', Buffer.from('\x93Gr\xfc\xdfe\x94 \x96 10 \x80', 'latin1'))).toBe('“Grüße” – 10 €');
  });

  test('of HTML is read in the encoding that it declares', async () => {
    const html = Buffer.concat([Buffer.from('<meta charset="Shift_JIS"><p>'), Buffer.from('93fa967b8cea', 'hex')]);
    expect(await textAs('a.html', html)).toBe('日本語');
  });

  test('has one kind of line end, no spaces at their ends, no characters that control', async () => {
    expect(await textAs('a.txt', 'a \r\nb\t\rc\f\n\n\n\u001b[1md\ufeff\n')).toBe('a\nb\nc\n\n[1md');
  });

  test('of Markdown stays as it is', async () => {
    expect(await textAs('a.md', '# Head\n\n- *one*\n    code')).toBe('# Head\n\n- *one*\n    code');
  });

  test('that is nothing but space is none', async () => {
    expect(await reasonOf(readAs('a.txt', bytesOf(' \n\t ')))).toBe('no_text');
    expect(await reasonOf(read(new Uint8Array(), { name: 'txt', mediaType: 'text/plain' }))).toBe('empty');
  });

  test('of more than 10 MB is refused, as is a file of more than 50 MB', async () => {
    expect(await reasonOf(readAs('a.txt', bytesOf('ä'.repeat(5_000_001))))).toBe('too_large');
    expect((await readAs('a.txt', bytesOf('ä'.repeat(5_000_000))))[0]?.text).toHaveLength(5_000_000);
    expect(await reasonOf(readAs('a.txt', new Uint8Array(50_000_001).fill(0x61)))).toBe('too_large');
  });

  test('that turns out to be binary is damaged', async () => {
    expect(await reasonOf(read(bytesOf('a\0\0b\u0001'), { name: 'csv', mediaType: 'text/csv' }))).toBe('damaged');
  });
});

describe('HTML', () => {
  test('is read as a person sees it', async () => {
    const html = `<head><title>A title</title><style>p { color: red }</style></head><body><!-- no --><h1>Head</h1>
      <p>One <b>bo</b>ld,\n two<br>three&nbsp;&amp;&#32;four</p><script>no()</script>
      <ul><li>a<li><p>b</p><ol><li>n</li><li>m</ol></ul>
      <table><tr><th>Key<th>Value<tr><td><p>x</p><p>y</p></td><td></td><td>z</td></tr></table>
      <pre>a\n  b</pre>end`;
    expect(await textAs('a.html', html)).toBe(
      'A title\n\nHead\n\nOne bold, two\nthree\u00a0& four\n\n- a\n- b\n\n1. n\n2. m\nKey | Value\nx y | | z\n\na\n  b\n\nend'.replace(
        '\u00a0',
        ' ',
      ),
    );
  });

  test.each(['<div>', '<table><tr><td>', '<ul><li>'])('nested too deep by %s is refused at once', async (tags) => {
    expect(await textAs('a.html', `${tags.repeat(500)}core`)).toMatch(/^(- )?core$/);
    expect(await reasonOf(readAs('a.html', bytesOf(`${tags.repeat(200_000)}core`)))).toBe('too_deep');
  });

  test('that is never closed is read as far as it goes', async () => {
    expect(await textAs('a.html', 'a<b>c')).toBe('ac');
    expect(await reasonOf(readAs('a.html', bytesOf('<script>a')))).toBe('no_text');
  });
});

describe('CSV', () => {
  test('has a line for each row, each value with the name of its column', async () => {
    const csv = 'name,city,note\nAnna,Bern,"said ""hi"",\nthen left"\nBo,,\n\n';
    expect(await textAs('a.csv', csv)).toBe('name: Anna | city: Bern | note: said "hi", then left\nname: Bo');
  });

  test('is parted by whatever parts it', async () => {
    expect(await textAs('a.csv', 'a;b\n1,5;2')).toBe('a: 1,5 | b: 2');
    expect(await textAs('a.tsv', 'a\tb\n1\t2')).toBe('a: 1 | b: 2');
  });

  test('without names of columns has only values', async () => {
    expect(await textAs('a.csv', '1,2\n3,4')).toBe('1 | 2\n3 | 4');
    expect(await textAs('a.csv', 'a,a\n3,4')).toBe('a | a\n3 | 4');
    expect(await textAs('a.csv', 'one\ntwo')).toBe('one\ntwo');
  });

  test('may have rows that are too long, too short, or broken', async () => {
    expect(await textAs('a.csv', 'a,b\n1\n1,2,3\n"x')).toBe('a: 1\na: 1 | b: 2 | 3\na: x');
    expect(await textAs('a.csv', 'a,b')).toBe('a | b');
  });

  test('that grows too large by its names is refused', async () => {
    const names = ['a'.repeat(10_000), 'b'].join();
    expect(await reasonOf(readAs('a.csv', bytesOf(`${names}\n${'1,2\n'.repeat(2_000)}`)))).toBe('too_large');
  });
});

describe('JSON', () => {
  test('has a line for each value, with the way to it', async () => {
    const json = { shop: 'A', open: true, none: null, orders: [{ item: 'Tea\nbag', 'in stock': 0 }, {}, []], '': 1 };
    expect(await textAs('a.json', JSON.stringify(json))).toBe(
      'shop: A\nopen: true\norders[0].item: Tea bag\norders[0].in stock: 0\n1',
    );
    expect(await textAs('a.json', '"alone"')).toBe('alone');
  });

  test('with a mark before it is read too', async () => {
    expect(await textAs('a.json', '\ufeff{"a":1}')).toBe('a: 1');
  });

  test.each([
    ['damaged', '{"a":'],
    ['no_text', '{}'],
    ['too_deep', `${'['.repeat(100_000)}1${']'.repeat(100_000)}`],
    ['too_deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['too_large', `"${'a'.repeat(20_000_000)}"`],
    ['too_large', JSON.stringify({ [`${'a'.repeat(10_000)}`]: Array.from({ length: 2_000 }, () => 1) })],
  ])('is refused as %s', async (reason, json) => {
    expect(await reasonOf(readAs('a.json', bytesOf(json)))).toBe(reason);
  });
});
