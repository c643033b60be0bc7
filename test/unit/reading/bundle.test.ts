import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyReadingData } from '../../../infra/reading-data.ts';
import { sample } from '../../support/documents.ts';
import { foreignPdf } from '../../support/pdf.ts';

const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Reads the files that it is given, and prints the first page of each. */
const program = `
  import { readFileSync } from 'node:fs';
  import { kindOf } from './shared/reading/kind.ts';
  import { ocr } from './shared/reading/ocr.ts';
  import { read } from './shared/reading/read.ts';
  async function run() {
    for (const fileName of process.argv.slice(2)) {
      const bytes = new Uint8Array(readFileSync(fileName));
      const pages = await read(bytes, await kindOf(bytes, { fileName }), { ocr });
      console.log(pages[0].text.split('\\n', 1)[0]);
    }
  }
  run();`;

beforeAll(async () => {
  await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    outfile: join(folder, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': 'undefined' },
    logLevel: 'error',
  });
  copyReadingData(folder, { ocr: true });
});

test('a bundle reads everything with no other files than those beside it, and prints nothing else', () => {
  const files = {
    'a.pdf': foreignPdf('UniGB-UCS2-H', 'GB1', '4f60597d'),
    'b.docx': sample('tables.docx'),
    'c.webp': sample('lines.webp'),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
  const output = execFileSync(process.execPath, ['index.js', ...Object.keys(files)], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(output.split('\n')).toEqual(['你好', 'Above', expect.stringContaining('she was trembling'), '']);
});
