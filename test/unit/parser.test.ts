import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { decodeAnswer, encodeAnswer } from '../../shared/parser/answer.ts';
import { confined, parseDocument } from '../../shared/parser/parse.ts';
import { bytesOf, sample } from '../support/documents.ts';
import { hostile } from '../support/hostile.ts';

const hint = (file_name: string) => ({ file_name, content_type: '' });
const soon = () => Date.now() + 60_000;

describe('a parser', () => {
  test('reads a document', async () => {
    expect(await parseDocument(sample('tables.docx'), hint('a.docx'), soon())).toMatchObject({
      char_count: 61,
      chunk_count: 1,
      index: expect.any(Uint8Array),
    });
  });

  test('says why it does not', async () => {
    expect(await parseDocument(bytesOf('{'), hint('a.json'), soon())).toMatchObject({
      reason: { type: 'damaged' },
      cause: { name: 'SyntaxError' },
    });
    expect(await parseDocument(new Uint8Array([0]), hint('a.bin'), soon())).toMatchObject({
      reason: { type: 'unsupported' },
    });
  });

  const slow = { stallSeconds: 1.5, memoryMb: 2_000 };
  const large = { stallSeconds: 60, memoryMb: 300 };
  test.each([
    ['time', 'nested-forms.pdf', slow],
    ['time', 'nested-hyperlinks.docx', slow],
    ['memory', 'repeated-note.docx', large],
    ['memory', 'lying.tiff', large],
    ['memory', 'repeated-stream.pdf', large],
    ['memory', 'hexed-bomb.pdf', large],
  ] as const)('is killed at its bound of %s, and the document is too complex: %s', async (_, name, limits) => {
    const bytes = hostile[name]();
    expect(bytes.length).toBeLessThan(500_000);
    expect(await parseDocument(bytes, hint(name), soon(), limits)).toMatchObject({ reason: { type: 'too_complex' } });
  });

  test('is killed at the deadline, and the document is too slow', async () => {
    const result = await parseDocument(sample('scanned-page.png'), hint('a.png'), Date.now() + 100);
    expect(result).toMatchObject({ reason: { type: 'too_slow' } });
  });

  test('may take longer than its limit without progress, as long as there is progress', async () => {
    const result = await parseDocument(sample('scanned-page.png'), hint('a.png'), soon(), {
      stallSeconds: 1,
      memoryMb: 1_000,
    });
    expect(result).toMatchObject({ content_type: 'image/png', index: expect.any(Uint8Array) });
  });

  test.each([
    ['reads a file', `require('node:fs').readFileSync('/proc/' + process.ppid + '/environ')`],
    ['writes a file', `require('node:fs').writeFileSync('/tmp/canary', '')`],
    ['starts a process', `require('node:child_process').spawnSync('true')`],
    ['starts a thread', `new (require('node:worker_threads').Worker)('1', { eval: true })`],
    ['runs text as code', `new Function('1')`],
  ])('never %s', (_, attempt) => {
    const script = `try { ${attempt}; console.log('done') } catch ({ code, name }) { console.log(code ?? name) }`;
    const { stdout } = spawnSync(process.execPath, [...confined, '-e', script], { env: {}, encoding: 'utf8' });
    expect(stdout).toMatch(/^(ERR_ACCESS_DENIED|EvalError)\n$/);
  });
});

describe('the answer of a parser', () => {
  const readable = { content_type: 'text/plain', char_count: 1, chunk_count: 1, index: Buffer.from('index\n{}') };

  test('is decoded as it was encoded, after any progress', () => {
    const answers = [
      readable,
      {
        content_type: 'text/plain',
        reason: { type: 'no_text', msg: 'None' },
        cause: { name: 'Error', where: ['a', 'b'] },
      },
      { failure: { name: 'Error', where: [] } },
    ];
    for (const answer of answers) {
      expect(decodeAnswer(Buffer.concat([Buffer.from('\n\n'), encodeAnswer(answer)]))).toEqual(answer);
    }
  });

  test.each([
    '',
    '\n',
    '{}\n',
    '{"char_count":-1,"chunk_count":1,"content_type":"a"}\n',
    `{"reason":{"type":"a","msg":"${'a'.repeat(1_000)}"}}\n`,
    '{"reason":{"type":"a","msg":"b"},"status":"ready"}\n',
  ])('is refused where it is none: %j', (output) => {
    expect(() => decodeAnswer(Buffer.from(output))).toThrow();
  });
});
