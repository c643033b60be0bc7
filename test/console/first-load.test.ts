import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

const dist = join(import.meta.dirname, '../../console/dist');
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));

/** All files that are loaded before a part of the console runs. */
function filesOf(names: string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const chunk = manifest[name];
    if (!chunk || found.has(chunk.file)) continue;
    found.add(chunk.file);
    filesOf(chunk.imports ?? [], found);
  }
  return found;
}

const kibOf = (files: Set<string>) =>
  [...files].reduce((bytes, file) => bytes + gzipSync(readFileSync(join(dist, file))).length, 0) / 1024;

const entry = Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
const pages = Object.keys(manifest).filter((name) => name.endsWith('page.tsx'));

test.each(pages)('the first load is at most 250 KB of JavaScript, compressed: %s', (page) => {
  expect(entry).toHaveLength(1);
  expect(kibOf(filesOf([...entry, page]))).toBeLessThan(250_000 / 1024);
});
