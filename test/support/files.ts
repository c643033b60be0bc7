import { createReadStream, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Searches a file of any size for a text. */
async function containsText(file: string, text: string): Promise<boolean> {
  let tail = '';
  for await (const chunk of createReadStream(file, 'latin1')) {
    if ((tail + chunk).includes(text)) return true;
    tail = String(chunk).slice(-text.length);
  }
  return false;
}

const ignoreMissing = (error: NodeJS.ErrnoException): false => {
  if (error.code !== 'ENOENT') throw error;
  return false;
};

/** Lists the files of the local host that store the objects of a bucket's folder. */
export const listObjectFiles = (folder: string): string[] =>
  globSync(`s3/**/${folder}/**/*_object`, { cwd: inject('dataDir') }).map((file) => join(inject('dataDir'), file));

/** Finds the files of the local host that contain a text: database, objects, logs and all others. */
export async function findFiles(text: string): Promise<string[]> {
  const files = globSync('**/*', { cwd: inject('dataDir') }).map((file) => join(inject('dataDir'), file));
  const matches: string[] = [];
  for (const file of files) {
    // Files of queued messages may disappear during the search.
    const isMatch =
      statSync(file, { throwIfNoEntry: false })?.isFile() && containsText(file, text).catch(ignoreMissing);
    if (await isMatch) matches.push(file);
  }
  return matches;
}
