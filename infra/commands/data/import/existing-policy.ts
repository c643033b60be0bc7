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

const formatSome = (names: string[]) => names.slice(0, 5).map(toPrintableLine).join('\n  ');

/** Throws UserError that names some of the differences, before anything is written. */
export function rejectDifferences(names: string[]): never {
  throw new UserError(
    `${names.length.toLocaleString('en')} existing rows or files differ from the export, so nothing was written:\n  ${formatSome(names)}\n` +
      'Use --existing keep to add only what is missing, or --existing replace to overwrite them',
  );
}

/** Throws UserError that names some of the rows that were changed while others were written. */
export function rejectChanges(names: string[]): never {
  throw new UserError(
    `${names.length.toLocaleString('en')} rows were changed during the import, so not all was written:\n  ${formatSome(names)}\n` +
      'Run it again with --existing keep to add the rest',
  );
}
