import { parseArgs } from 'node:util';
import { run } from '../problem.ts';
import { localServices, makeApiKey } from './api-key.ts';

/** Prints a new API key of the local service. */
run(async () => {
  const { values } = parseArgs({
    options: {
      sub: { type: 'string', default: 'demo' },
      scope: { type: 'string', default: 'runtime,logs' },
      name: { type: 'string' },
    },
  });
  const services = await localServices();
  try {
    const { sub, scope, name } = values;
    console.log(
      await makeApiKey(services, { sub, scopes: scope.split(',').map((one) => one.trim()), ...(name && { name }) }),
    );
  } finally {
    await services.stop();
  }
});
