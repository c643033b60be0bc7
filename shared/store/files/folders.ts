import type { Folder } from '../../route.ts';

/** Builds an object key. Every key in the bucket starts with a folder and an owner. */
export const toObjectKey = (folder: Folder, owner: string, ...names: string[]): string =>
  [folder, owner, ...names].join('/');

/** True if an object is in the folder of an owner. */
export const isInFolder = (path: string, folder: Folder, owner: string): boolean =>
  path.startsWith(`${toObjectKey(folder, owner)}/`);

const folders: Record<Folder, true> = { transcripts: true, uploads: true, passages: true, erasures: true, jobs: true };

/** Lists the prefixes of a user's files. */
export const listFolderPrefixes = (owner: string): string[] =>
  Object.keys(folders).map((folder) => `${toObjectKey(folder as Folder, owner)}/`);
