import { toPrintableLine } from '../../../../shared/domain/printable.ts';
import { UserError } from '../../../terminal/user-error.ts';

/**
 * Policy for existing rows and files that differ from the export: write nothing, keep them, or replace them. The files of a row
 * that is written are replaced in any case.
 */
export type ExistingPolicy = 'refuse' | 'keep' | 'replace';

/** Numbers of rows or files by outcome. */
export interface Tally {
  written: number;
  kept: number;
  same: number;
}

/** Throws UserError that names some of the differences. */
export function rejectDifferences(names: string[]): never {
  const some = names.slice(0, 5).map(toPrintableLine).join('\n  ');
  throw new UserError(
    `${names.length.toLocaleString('en')} existing rows or files differ from the export, so nothing was written:\n  ${some}\n` +
      'Use --existing keep to add only what is missing, or --existing replace to overwrite them',
  );
}
