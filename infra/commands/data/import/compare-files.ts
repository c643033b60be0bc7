import { isInFolder, listFolderPrefixes } from '../../../../shared/store/files/folders.ts';
import { UserError } from '../../../terminal/user-error.ts';
import { listVersions } from '../deployment/bucket.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { ExportedFile, Manifest } from '../export/export-folder.ts';

/** True if a path in the bucket is in the folders of an owner. */
export const isOwnFile = (owner: string, path: string) =>
  listFolderPrefixes(owner).some((folder) => path.startsWith(folder));

/** Exported file, compared with the bucket. */
export interface PendingFile {
  from: string;
  path: string;
  state: 'absent' | 'same' | 'different';
}

/** Compares the files with those in the bucket. Leaves out those of jobs, which no other owner gets, if the owner changes. */
export async function compareFiles(
  deployment: Deployment,
  manifest: Manifest,
  owner: string,
  digests: Map<ExportedFile, string>,
) {
  const stored = new Map<string, string>();
  for await (const { path, etag, isLatest, isMarker } of listVersions(deployment, owner))
    if (isLatest && !isMarker) stored.set(path, etag);
  const isOfJob = ({ path }: ExportedFile) => isInFolder(path, 'jobs', manifest.owner);
  const kept = [...digests].filter(([file]) => owner === manifest.owner || !isOfJob(file));
  return kept.map(([{ path: from }, md5]): PendingFile => {
    const path = from.replaceAll(manifest.owner, owner);
    if (!isOwnFile(owner, path)) throw new UserError(`${path} is a file of another user: nothing was written`);
    const etag = stored.get(path);
    return { from, path, state: etag === undefined ? 'absent' : etag === md5 ? 'same' : 'different' };
  });
}

/** True if the arrival of a file triggers ingestion, which deletes a document without a record. */
export const triggersEvent = (owner: string, path: string) =>
  (['uploads', 'erasures'] as const).some((folder) => isInFolder(path, folder, owner));
