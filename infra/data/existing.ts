import { Problem } from '../problem.ts';

/** What is done with rows and files that are there already, and differ: nothing is written, they stay, or they are replaced. */
export type Existing = 'refuse' | 'keep' | 'replace';

/** What became of rows or files. */
export interface Tally {
  written: number;
  kept: number;
  same: number;
}

/** Throws Problem, which names some of what is there and differs. */
export function refuse(names: string[]): never {
  const some = names.slice(0, 5).join('\n  ');
  throw new Problem(
    `${names.length.toLocaleString('en')} of what is there differs from the export, and nothing has been written:\n  ${some}\n` +
      'Say --existing keep to add only what is missing, or --existing replace to put the export in its place',
  );
}
