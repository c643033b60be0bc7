/** Something that the person at the terminal can mend. Its message is one sentence that says how. */
export class Problem extends Error {}

/** An option that a command does not have, told by node:util's parseArgs. */
const isUsage = (error: Error & { code?: string }) => error.code?.startsWith('ERR_PARSE_ARGS') === true;

/** Runs a command's main function; what its user can mend is printed as a sentence, anything else with its stack. */
export function run(main: () => Promise<void>): void {
  main().catch((error) => {
    console.error(error instanceof Problem || isUsage(error) ? error.message : error);
    process.exit(1);
  });
}
