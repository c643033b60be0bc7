import { run } from '../problem.ts';
import { localServices } from './api-key.ts';
import { fixture } from './fixture.ts';

/** Prints the event of a route with a fresh token or API key, for other tools. */
run(async () => {
  const services = await localServices();
  try {
    console.log(JSON.stringify(await fixture(services, process.argv[2]), null, 2));
  } finally {
    await services.stop();
  }
});
