import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { itemsOf } from '../../infra/data/folder.ts';
import { lineOf, type Row } from '../../infra/data/row.ts';

const dir = mkdtempSync(join(tmpdir(), 'line-'));
afterAll(() => rmSync(dir, { recursive: true }));

// What one reader of lines or another takes for the end of one.
test.each(['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
  'a row is one line, also with %j in it',
  async (end) => {
    const rows: Row[] = [`a${end}b`, `${end}c${end}`].map((text) => ({ pk: { S: text }, sk: { S: 'M' } }));
    writeFileSync(join(dir, 'items.jsonl'), rows.map((row) => `${lineOf(row)}\n`).join(''));
    const found: Row[] = [];
    for await (const row of itemsOf(dir)) found.push(row);
    expect(found).toEqual(rows);
  },
);
