import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTextFile } from '../../../clients/cli/read-text-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-text-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('reads a file of the largest size, without its byte order mark, and no larger one', () => {
  const path = join(folder, 'a.yaml');
  writeFileSync(path, '\ufeffäbc');
  expect(readTextFile(path, 7)).toBe('äbc');
  expect(() => readTextFile(path, 6)).toThrow('it has more than');
});

test.runIf(existsSync('/proc/self/maps'))('reads no more of a file that says that it is empty', () => {
  expect(() => readTextFile('/proc/self/maps', 100)).toThrow('it has more than');
});

test('reads no device, also by a link, and no folder', () => {
  const link = join(folder, 'b.yaml');
  symlinkSync(devNull, link);
  for (const path of [devNull, link, folder]) expect(() => readTextFile(path, 100)).toThrow('it is no file');
});
