import { inspect } from 'node:util';
import { toPrintable } from '../../shared/domain/printable.ts';

/** Error that the user of a command can fix. Its message says how; the stack is not printed. */
export class UserError extends Error {}

/** Runs a command's main function. Prints a UserError as its message, any other error with its stack and causes, and exits with 1. */
export function run(main: () => Promise<void>): void {
  main().catch((error) => {
    console.error(toPrintable(error instanceof UserError ? error.message : inspect(error, { depth: 5 })));
    process.exit(1);
  });
}
