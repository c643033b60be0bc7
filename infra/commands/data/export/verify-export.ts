import { readFile } from 'node:fs/promises';
import { formatBar, type ShowProgress } from '../../../terminal/progress.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { maxConcurrentFiles, runInParallel } from '../in-parallel.ts';
import { type ExportedFile, hashContent, hashItems, type Manifest, toFilePath } from './export-folder.ts';

/**
 * Returns the exported files with their MD5 in hex. Throws UserError if a file or items.jsonl has changed since the
 * export.
 */
export async function verifyExport(
  dir: string,
  manifest: Manifest,
  showProgress: ShowProgress,
): Promise<Map<ExportedFile, string>> {
  if (!manifest.completed_at || !manifest.rows)
    throw new UserError(`The export in ${dir} is not complete: run npm run export again to finish it`);
  const createAlteredError = (name: string) =>
    new UserError(`${name} has changed since the export (its SHA-256 differs): nothing was written`);
  if ((await hashItems(dir)) !== manifest.rows.sha256) throw createAlteredError('items.jsonl');
  const digests = new Map<ExportedFile, string>();
  await runInParallel(manifest.files, maxConcurrentFiles, async (file) => {
    const content = await readFile(toFilePath(dir, file.path)).catch(() => {
      throw new UserError(`${file.path} is missing: nothing was written`);
    });
    if (hashContent('sha256', content) !== file.sha256) throw createAlteredError(file.path);
    digests.set(file, hashContent('md5', content));
    showProgress(`Checking  ${formatBar(digests.size / manifest.files.length)}`);
  });
  return digests;
}
