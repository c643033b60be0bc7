import { globSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a file so that readers, also after a crash, find either its old content or all of the new one. */
export function replaceFile(file: string, content: string): void {
  writeFileSync(`${file}.unfinished`, content, { flush: true });
  renameSync(`${file}.unfinished`, file);
}

/** Deletes unfinished files of `replaceFile` from a folder, which a killed process has left. */
export function removeUnfinished(dir: string): void {
  for (const file of globSync('*.unfinished', { cwd: dir })) rmSync(join(dir, file));
}
