import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where the data of libraries lies, in folders named by package: in `data` beside a bundle, which is CommonJS and so
 * has no `import.meta`; among the installed packages where the sources run as they are.
 */
const folder = import.meta.dirname ? join(import.meta.dirname, '../../node_modules') : join(__dirname, 'data');

/** Reads one file of a package's data. Throws where it is not there, or its name leads elsewhere. */
export async function dataOf(...path: [name: string, ...rest: string[]]): Promise<Uint8Array<ArrayBuffer>> {
  if (path.some((part) => part.split('/').includes('..'))) throw new Error(`Not a file of data: ${path.join('/')}`);
  return new Uint8Array(await readFile(join(folder, ...path)));
}
