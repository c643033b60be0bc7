import { run } from '../problem.ts';
import { fixture } from './fixture.ts';

/** Prints the event of a route with a fresh token, for other tools. */
run(async () => {
  console.log(JSON.stringify(await fixture(process.argv[2]), null, 2));
});
