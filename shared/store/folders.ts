import type { Folder } from '../route.ts';

/** Every name in the bucket begins with a folder and its owner. */
export const pathOf = (folder: Folder, owner: string, ...names: string[]): string =>
  [folder, owner, ...names].join('/');

const folders: Record<Folder, true> = { transcripts: true, uploads: true, passages: true, erasures: true };

/** What all names of a user's files begin with. */
export const foldersOf = (owner: string): string[] =>
  Object.keys(folders).map((folder) => `${pathOf(folder as Folder, owner)}/`);
