import { readFile } from 'node:fs/promises';
import { Problem } from '../problem.ts';
import { bar, type Say } from '../progress.ts';
import { digestOf, digestOfItems, fileIn, type KeptFile, type Manifest } from './folder.ts';
import { filesTogether, inParallel } from './in-parallel.ts';

/** The files, with their MD5 in hex. Throws Problem where one, or items.jsonl, is not as it was exported. */
export async function verified(dir: string, manifest: Manifest, say: Say): Promise<Map<KeptFile, string>> {
  if (!manifest.completed_at || !manifest.rows)
    throw new Problem(`${dir} holds an export that has not ended: run npm run export into it again`);
  const altered = (name: string) =>
    new Problem(`${name} is not as it was exported (its SHA-256 differs): nothing has been written`);
  if ((await digestOfItems(dir)) !== manifest.rows.sha256) throw altered('items.jsonl');
  const digests = new Map<KeptFile, string>();
  await inParallel(manifest.files, filesTogether, async (file) => {
    const content = await readFile(fileIn(dir, file.path)).catch(() => {
      throw new Problem(`${file.path} is missing: nothing has been written`);
    });
    if (digestOf('sha256', content) !== file.sha256) throw altered(file.path);
    digests.set(file, digestOf('md5', content));
    say(`Checking  ${bar(digests.size / manifest.files.length)}`);
  });
  return digests;
}
