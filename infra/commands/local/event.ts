import { openLocalServices } from '../../local/api-key.ts';
import { loadFixture } from '../../local/fixture.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run } from '../../terminal/user-error.ts';

const usage = `Usage: npm run -s event -- assistants/get
Prints the sample event of a route with a new token or API key, for other tools.`;

/** Prints the sample event of a route with a new token or API key, for other tools. */
run(async () => {
  const [routeId] = readArguments(usage, { allowPositionals: true }).positionals;
  const services = await openLocalServices();
  try {
    console.log(JSON.stringify(await loadFixture(services, routeId), null, 2));
  } finally {
    await services.stop();
  }
});
