import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../../infra/bundle.ts';
import { copyReadingData } from '../../../infra/reading-data.ts';
import { decodeAnswer } from '../../../shared/parser/answer.ts';
import { openIndex } from '../../../shared/search/open.ts';
import { sample } from '../../support/documents.ts';
import { foreignPdf } from '../../support/pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'reading-'));
afterAll(() => rmSync(folder, { recursive: true }));
const parser = join(folder, 'ingest', 'parser.mjs');

beforeAll(async () => {
  await bundle(['ingest'], folder);
  copyReadingData(join(folder, 'ingest'), { ocr: true });
});

test.each([
  ['a.pdf', foreignPdf('UniGB-UCS2-H', 'GB1', '4f60597d'), '你好'],
  ['b.docx', sample('tables.docx'), 'Above'],
  ['c.webp', sample('lines.webp'), 'she was trembling'],
  ['d.html', Buffer.from('<p>Hello<p>world'), 'Hello'],
  ['e.csv', Buffer.from('name,price\ncheck-up,40'), 'check-up'],
  ['f.md', Buffer.from('# Prices'), 'Prices'],
])('the bundle of the parser reads %s with no other files than those beside it', (file_name, bytes, text) => {
  const input = Buffer.concat([
    Buffer.from(`${JSON.stringify({ file_name, content_type: 'application/octet-stream' })}\n`),
    bytes,
  ]);
  const flags = ['--permission', `--allow-fs-read=${folder}/ingest/*`];
  const answer = decodeAnswer(execFileSync(process.execPath, [...flags, parser], { input, env: {} }));
  if (!('index' in answer)) throw new Error(JSON.stringify(answer));
  expect(openIndex(Buffer.from(answer.index)).passage(0).text).toContain(text);
});
