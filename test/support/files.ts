import { createReadStream, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Whether a file holds a text, however large it is. */
async function holds(file: string, text: string): Promise<boolean> {
  let tail = '';
  for await (const chunk of createReadStream(file, 'latin1')) {
    if ((tail + chunk).includes(text)) return true;
    tail = String(chunk).slice(-text.length);
  }
  return false;
}

const ifGone = (error: NodeJS.ErrnoException): false => {
  if (error.code !== 'ENOENT') throw error;
  return false;
};

/** The files that the local host keeps of the objects in a folder of the bucket. */
export const objects = (folder: string): string[] =>
  globSync(`s3/**/${folder}/**/*_object`, { cwd: inject('dataDir') }).map((file) => join(inject('dataDir'), file));

/** The files of the local host that hold a text: database, objects, logs, everything that it keeps. */
export async function found(text: string): Promise<string[]> {
  const files = globSync('**/*', { cwd: inject('dataDir') }).map((file) => join(inject('dataDir'), file));
  const holding: string[] = [];
  for (const file of files) {
    // Messages of queues come and go meanwhile.
    const holdsIt = statSync(file, { throwIfNoEntry: false })?.isFile() && holds(file, text).catch(ifGone);
    if (await holdsIt) holding.push(file);
  }
  return holding;
}
