import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleFunctions } from '../../../infra/bundle/functions.ts';
import { copyParserData } from '../../../infra/bundle/parser-data.ts';
import { decodeResult } from '../../../shared/parser/result-codec.ts';
import { openIndex } from '../../../shared/search/open.ts';
import { readSample } from '../../support/documents.ts';
import { encodeAs } from '../../support/encodings.ts';
import { buildEpub, buildMail, buildOdf, buildPptx, buildXlsx, drawText } from '../../support/office.ts';
import { buildForeignPdf } from '../../support/pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'reading-'));
afterAll(() => rmSync(folder, { recursive: true }));
const parser = join(folder, 'ingest', 'parser.mjs');

beforeAll(async () => {
  await bundleFunctions(['ingest'], folder);
  copyParserData(join(folder, 'ingest'), ['en']);
});

test.each([
  ['a.pdf', buildForeignPdf('UniGB-UCS2-H', 'GB1', '4f60597d'), '你好'],
  ['b.docx', readSample('tables.docx'), 'Above'],
  ['c.webp', readSample('lines.webp'), 'she was trembling'],
  ['c.jp2', readSample('lines.jp2'), 'she was trembling'],
  ['c.png', readSample('lines-sideways.png'), 'she was trembling'],
  ['d.html', Buffer.from('<p>Hello<p>world'), 'Hello'],
  ['e.csv', Buffer.from('name,price\ncheck-up,40'), 'check-up'],
  ['f.md', Buffer.from('# Prices'), 'Prices'],
  ['b.xlsx', buildXlsx('<row><c><v>check-up</v></c></row>'), 'check-up'],
  ['b.pptx', buildPptx([drawText('check-up')]), 'check-up'],
  ['b.odt', buildOdf('text', '<text:p>check-up</text:p>'), 'check-up'],
  ['b.rtf', Buffer.from('{\\rtf1 check-up}'), 'check-up'],
  ['b.epub', buildEpub(['<p>check-up</p>']), 'check-up'],
  ['b.eml', buildMail('From: a', 'To: b', '', 'check-up'), 'check-up'],
  ['g.txt', encodeAs('windows-1251', 'Магазин открыт с девяти часов.'), 'Магазин открыт'],
])('the bundled parser parses %s with only the files of its own folder', (file_name, bytes, text) => {
  const input = Buffer.concat([
    Buffer.from(
      `${JSON.stringify({ file_name, content_type: 'application/octet-stream', languages: { available: ['en'] } })}\n`,
    ),
    bytes,
  ]);
  const flags = ['--permission', `--allow-fs-read=${folder}/ingest/*`];
  const result = decodeResult(execFileSync(process.execPath, [...flags, parser], { input, env: {} }));
  if (!('index' in result)) throw new Error(JSON.stringify(result));
  expect(openIndex(Buffer.from(result.index)).passage(0).text).toContain(text);
});
