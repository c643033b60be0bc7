import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folder with the data of libraries, in subfolders named after their packages: `data` next to a bundle, which is CommonJS without
 * `import.meta`, or `node_modules` in development.
 */
const dataFolder = import.meta.dirname ? join(import.meta.dirname, '../../node_modules') : join(__dirname, 'data');

/** Reads a data file of a package. Throws if it does not exist, or if its path contains `..`. */
export async function readPackageData(...path: [name: string, ...rest: string[]]): Promise<Uint8Array<ArrayBuffer>> {
  if (path.some((part) => part.split('/').includes('..'))) throw new Error(`Not a data file: ${path.join('/')}`);
  return new Uint8Array(await readFile(join(dataFolder, ...path)));
}
