import { createApiKey, openLocalServices } from '../../local/api-key.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run } from '../../terminal/user-error.ts';

const usage = `Usage: npm run -s key -- [--sub demo] [--scope runtime,logs] [--name Local]
Prints a new API key of the local host.`;

/** Prints a new API key of the local host. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      sub: { type: 'string', default: 'demo' },
      scope: { type: 'string', default: 'runtime,logs' },
      name: { type: 'string' },
    },
  });
  const services = await openLocalServices();
  try {
    const { sub, scope, name } = values;
    console.log(
      await createApiKey(services, { sub, scopes: scope.split(',').map((one) => one.trim()), ...(name && { name }) }),
    );
  } finally {
    await services.stop();
  }
});
