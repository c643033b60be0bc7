import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file so that readers, also after a crash, find either its old content or all of the new one. */
export function replaceFile(file: string, content: string): void {
  writeFileSync(`${file}.unfinished`, content, { flush: true });
  renameSync(`${file}.unfinished`, file);
}
