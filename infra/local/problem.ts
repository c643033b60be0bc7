/** Something that the person at the terminal can mend. Its message is one sentence that says how. */
export class Problem extends Error {}

/** Runs a command's main function; a Problem is printed as its sentence, anything else with its stack. */
export function run(main: () => Promise<void>): void {
  main().catch((error) => {
    console.error(error instanceof Problem ? error.message : error);
    process.exit(1);
  });
}
