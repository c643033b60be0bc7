import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { confinementFlags, type ParserLimits, parseDocument } from '../../shared/parser/parse.ts';
import { decodeResult, encodeResult } from '../../shared/parser/result-codec.ts';
import { readSample, toBytes } from '../support/documents.ts';
import { hostileFiles } from '../support/hostile-files.ts';

const createHint = (file_name: string) => ({ file_name, content_type: '', languages: { available: ['en' as const] } });
const createDeadline = () => Date.now() + 60_000;

describe('a parser', () => {
  test('parses and indexes a document', async () => {
    expect(await parseDocument(readSample('tables.docx'), createHint('a.docx'), createDeadline())).toMatchObject({
      char_count: 61,
      chunk_count: 1,
      index: expect.any(Uint8Array),
    });
  });

  test('returns the reason if a document is unreadable', async () => {
    expect(await parseDocument(toBytes('{'), createHint('a.json'), createDeadline())).toMatchObject({
      reason: { type: 'damaged' },
      cause: { name: 'SyntaxError' },
    });
    expect(await parseDocument(new Uint8Array([0]), createHint('a.bin'), createDeadline())).toMatchObject({
      reason: { type: 'unsupported' },
    });
  });

  const slow = { stallSeconds: 1.5, memoryMb: 2_000 };
  const patient = { stallSeconds: 6, memoryMb: 2_000 };
  const large = { stallSeconds: 60, memoryMb: 300 };
  test.each([
    ['time', 'nested-forms.pdf', slow],
    ['time', 'nested-hyperlinks.docx', slow],
    ['memory', 'repeated-note.docx', large],
    ['memory', 'lying.tiff', large],
    ['memory', 'repeated-stream.pdf', large],
    ['memory', 'hexed-bomb.pdf', large],
  ] as const)('is killed at its limit of %s, with the reason too_complex: %s', async (_, name, limits) => {
    const bytes = hostileFiles[name]();
    expect(bytes.length).toBeLessThan(500_000);
    expect(await parseDocument(bytes, createHint(name), createDeadline(), limits)).toMatchObject({
      reason: { type: 'too_complex' },
    });
  });

  test.each([
    ['a.json', 'values', `[${'1,'.repeat(4_999_990)}1]`],
    ['a.json', 'paths', `{"${'a'.repeat(5_000_000)}":[${'1,'.repeat(2_400_000)}1]}`],
    ['a.json', 'sentences', JSON.stringify({ ['a?'.repeat(5_000)]: Array(2_900).fill(1) })],
    ['a.csv', 'values in a row', '"a",'.repeat(2_490_000)],
    ['a.csv', 'misplaced quotes', '"a"b"c'.repeat(1_660_000)],
    ['a.txt', 'paragraphs', 'a.\n\n'.repeat(2_499_999)],
  ])('reads a file of the largest size within 1,000 MB: %s, however many its %s are', async (name, _, text) => {
    const limits = { stallSeconds: 15, memoryMb: 1_000 };
    const read = await parseDocument(toBytes(text), createHint(name), createDeadline(), limits);
    expect(read).toMatchObject({ index: expect.any(Uint8Array) });
  });

  test('refuses the largest file of zero bytes within 1,000 MB', async () => {
    const zeros = new Uint8Array(50_000_000);
    const limits = { stallSeconds: 15, memoryMb: 1_000 };
    expect(await parseDocument(zeros, createHint('a.txt'), createDeadline(), limits)).toMatchObject({
      reason: { type: 'unsupported' },
    });
  });

  test('reads a slide and its comments once, however often a PPTX names them', async () => {
    const bytes = hostileFiles['repeated-slide.pptx']();
    expect(await parseDocument(bytes, createHint('a.pptx'), createDeadline(), patient)).toMatchObject({
      reason: { type: 'no_text' },
    });
  });

  test('reads a sheet once, however often an XLSX names it', async () => {
    const bytes = hostileFiles['repeated-sheet.xlsx']();
    expect(await parseDocument(bytes, createHint('a.xlsx'), createDeadline(), patient)).toMatchObject({
      char_count: 1,
    });
  });

  test('is killed at its limit of pieces of output, with the reason too_complex', async () => {
    const result = await parseDocument(toBytes('a'), createHint('a.txt'), createDeadline(), { outputPieces: 0 });
    expect(result).toMatchObject({ reason: { type: 'too_complex' } });
  });

  test('is killed at the deadline, with the reason too_slow', async () => {
    const result = await parseDocument(readSample('scanned-page.png'), createHint('a.png'), Date.now() + 100);
    expect(result).toMatchObject({ reason: { type: 'too_slow' } });
  });

  /** Returns the CPU time of all child processes that have ended, in seconds (man proc_pid_stat: cutime and cstime). */
  function readChildSeconds(): number {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[13]) + Number(fields[14])) / 100;
  }

  test.runIf(existsSync('/proc/self/stat'))(
    'may run longer than the stall limit while it reports progress',
    async () => {
      const parse = (limits?: Partial<ParserLimits>) =>
        parseDocument(readSample('scanned-page.png'), createHint('a.png'), createDeadline(), limits);
      const before = readChildSeconds();
      await parse();
      const result = await parse({ stallSeconds: 0.8 * (readChildSeconds() - before), memoryMb: 1_000 }); // no step takes so long
      expect(result).toMatchObject({ content_type: 'image/png', index: expect.any(Uint8Array) });
    },
  );

  const socketFile = join(tmpdir(), `voice-assistants-${randomUUID()}.sock`);
  test.each([
    ['reads a file', 'ERR_ACCESS_DENIED', `require('node:fs').readFileSync('/proc/' + process.ppid + '/environ')`],
    ['writes a file', 'ERR_ACCESS_DENIED', `require('node:fs').writeFileSync('/tmp/canary', '')`],
    ['starts a process', 'ERR_ACCESS_DENIED', `require('node:child_process').spawnSync('true')`],
    ['starts a thread', 'ERR_ACCESS_DENIED', `new (require('node:worker_threads').Worker)('1', { eval: true })`],
    ['opens a database', 'ERR_UNKNOWN_BUILTIN_MODULE', `require('node:sqlite')`],
    ['opens a debugger', 'ERR_ACCESS_DENIED', `require('node:inspector').open()`],
    ['runs text as code', 'EvalError', `new Function('1')`],
    ['sends a signal', 'process.kill is not a function', 'process.kill(process.ppid, 0)'],
    ['opens the debugger of another process', 'is not a function', 'process._debugProcess(process.ppid)'],
    ['changes a priority', 'setPriority is not a function', `require('node:os').setPriority(process.ppid, 19)`],
    [
      'creates the file of a socket',
      'listen is not a function',
      `require('node:net').createServer().listen('${socketFile}')`,
    ],
    [
      'creates the file of a socket by the handle of another',
      'bind is not a function',
      `const { _handle } = require('node:net').connect('/').on('error', () => {});
       new _handle.constructor(1).bind('${socketFile}')`,
    ],
    ...['kill', 'spawn'].map((name) => [
      `reaches a process by ${name} of a handle that has none`,
      `${name} is not a function`,
      `new (require('node:child_process').ChildProcess)()._handle.${name}(0)`,
    ]),
    [
      'listens at a port',
      'listen is not a function',
      `const { _handle } = require('node:net').connect(1, '127.0.0.1').on('error', () => {});
       new _handle.constructor(1).listen(5)`,
    ],
    [
      'binds a port',
      'bind6 is not a function',
      `const { _handle } = require('node:net').connect(1, '127.0.0.1').on('error', () => {});
       new _handle.constructor(1).bind6('::', 0)`,
    ],
    ['has its report written to a file', "reading 'writeReport'", 'process.report.writeReport()'],
    ['runs bytecode', 'is not a constructor', `new (require('node:vm').Script)('1', { cachedData: Buffer.alloc(1) })`],
    ['runs code in another context', 'runInNewContext is not a function', `require('node:vm').runInNewContext('1')`],
    ['reads certificates', 'getCACertificates is not a function', `require('node:tls').getCACertificates('system')`],
    ['has its memory written to a file', 'is not a function', `require('node:v8').setHeapSnapshotNearHeapLimit(1)`],
    ...['bind', 'recvStart', 'send', 'connect'].map((name) => [
      `sends or receives datagrams by ${name}`,
      `${name} is not a function`,
      `const socket = require('node:dgram').createSocket('udp4');
       const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description.startsWith('state'));
       socket[state].handle.${name}('0.0.0.0', 0, 0)`,
    ]),
    ...['lookup', 'resolve'].map((name) => [
      `asks for names by ${name}`,
      'is not a function',
      `require('node:dns').${name}('a', () => {})`,
    ]),
    ['asks for names by promises', "reading 'lookup'", `require('node:dns').promises.lookup('a')`],
    ['asks for names by Resolver', 'is not a constructor', `new (require('node:dns').Resolver)()`],
    ['asks for names by a module of its own', 'TypeError', `await require('node:dns/promises').resolve('a')`],
    ['asks for names by a connection', 'TypeError', `require('node:net').connect(1, 'a')`],
    [
      'sets a variable that libraries read',
      'undefined',
      `process.env.HOSTALIASES = '/x'; console.log(process.env.HOSTALIASES)`,
    ],
    ['creates a socket by another class', 'is not a constructor', `new (await import('node:net')).BoundSocket()`],
  ])('never %s', (_, failure, attempt) => {
    const module = join(import.meta.dirname, '../../shared/parser/give-up-rights.ts');
    const script = `import { giveUpRights } from ${JSON.stringify(module)};
      import { createRequire } from 'node:module';
      const require = createRequire('/');
      giveUpRights();
      try { ${attempt}; console.log('done') } catch (error) { console.log(error.code, error.name, error.message) }
      process.exit();`;
    const flags = [...confinementFlags, '--input-type=module', '-e', script];
    const { stdout } = spawnSync(process.execPath, flags, { env: {}, encoding: 'utf8' });
    expect(stdout).toContain(failure);
    expect(existsSync(socketFile)).toBe(false);
  });

  test('ends if it changes flags of V8', () => {
    const script = "require('node:v8').setFlagsFromString('--allow-natives-syntax')";
    const { signal } = spawnSync(process.execPath, [...confinementFlags, '-e', script], { env: {} });
    expect(signal).toMatch(/^SIG(TRAP|ILL|ABRT)$/);
  });

  test('cannot open the debugger of its parent', () => {
    expect(process.listenerCount('SIGUSR1')).toBeGreaterThan(0);
  });
});

describe('the result of a parser', () => {
  const readable = {
    content_type: 'text/plain',
    char_count: 1,
    chunk_count: 1,
    warnings: [{ type: 'encoding_guessed', msg: 'b' }],
    index: Buffer.from('index\n{}'),
  };

  const { index: _, ...facts } = readable;
  const toLine = (head: object) => `${JSON.stringify(head)}\n`;

  test('is decoded as encoded, after any progress reports', () => {
    const results = [
      readable,
      {
        content_type: 'text/plain',
        reason: { type: 'no_text', msg: 'None' },
        cause: { name: 'Error', where: ['a', 'b'] },
      },
      { failure: { name: 'Error', where: [] } },
    ];
    for (const answer of results) {
      expect(decodeResult(Buffer.concat([Buffer.from('\n\n'), encodeResult(answer)]))).toEqual(answer);
    }
  });

  test.each([
    '',
    '\n',
    '{}\n',
    toLine({ ...facts, char_count: -1 }),
    toLine({ ...facts, char_count: 1e15 }),
    toLine({ ...facts, chunk_count: null }),
    toLine({ ...facts, content_type: 'text/forged' }),
    toLine({ ...facts, warnings: undefined }),
    toLine({ ...facts, warnings: Array(21).fill(facts.warnings[0]) }),
    toLine({ ...facts, warnings: [{ type: 'forged', msg: 'b' }] }),
    toLine({ ...facts, status: 'ready' }),
    toLine({ reason: { type: 'damaged', msg: 'a'.repeat(501) } }),
    toLine({ reason: { type: 'forged', msg: 'b' } }),
    toLine({ reason: { type: 'damaged', msg: 'b' }, status: 'ready' }),
    toLine({ ...facts, warnings: [{ type: 'parts_left_out', msg: 'half \ud83d' }] }),
    toLine({ failure: { name: 'Error', where: Array(4).fill('a') } }),
    `{${'\t'.repeat(200_000)}${toLine(facts).slice(1)}`,
  ])('is rejected if malformed (%#)', (output) => {
    expect(() => decodeResult(Buffer.from(output))).toThrow();
  });
});
