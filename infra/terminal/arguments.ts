import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from './user-error.ts';

/**
 * Parses the arguments of a command. With `--help`, prints the usage and exits. Throws UserError with the usage if an
 * argument is not accepted.
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T = {} as T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit();
  }
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UserError(`${(error as Error).message}\n${usage}`);
  }
}
