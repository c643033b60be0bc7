import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Row, serializeRow } from '../../infra/commands/data/deployment/row.ts';
import { readItems } from '../../infra/commands/data/export/export-folder.ts';

const dir = mkdtempSync(join(tmpdir(), 'line-'));
afterAll(() => rmSync(dir, { recursive: true }));

// All characters that some line reader treats as a line end.
test.each(['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
  'exports a row with %j as a single line',
  async (end) => {
    const rows: Row[] = [`a${end}b`, `${end}c${end}`].map((text) => ({ pk: { S: text }, sk: { S: 'M' } }));
    writeFileSync(join(dir, 'items.jsonl'), rows.map((row) => `${serializeRow(row)}\n`).join(''));
    const found: Row[] = [];
    for await (const row of readItems(dir)) found.push(row);
    expect(found).toEqual(rows);
  },
);
