import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

function hashSources(sources: string[], exclude: string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root, exclude }).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/**
 * Runs `build` unless `outdir` was built from the same sources, and saves their hash in `outdir`. Sources are file
 * globs, relative to the project root.
 */
export async function buildUnlessCurrent(
  { sources, exclude = [], outdir }: { sources: string[]; exclude?: string[]; outdir: string },
  build: () => Promise<void>,
): Promise<void> {
  const hashFile = join(outdir, '.sources');
  const hash = hashSources(sources, exclude);
  if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash) return;
  await build();
  writeFileSync(hashFile, hash);
}
