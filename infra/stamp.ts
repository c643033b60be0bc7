import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

function hashOf(sources: string[], exclude: string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root, exclude }).sort())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/**
 * Makes what is in the folder `outdir`, unless that was made of these very sources: globs of files, from the project's root. A
 * file there tells what it was made of.
 */
export async function makeOf(
  { sources, exclude = [], outdir }: { sources: string[]; exclude?: string[]; outdir: string },
  make: () => Promise<void>,
): Promise<void> {
  const stamp = join(outdir, '.sources');
  const hash = hashOf(sources, exclude);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  await make();
  writeFileSync(stamp, hash);
}
