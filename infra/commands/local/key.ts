import { createApiKey, openLocalServices } from '../../local/api-key.ts';
import { parseClaims } from '../../local/emulators/issuer/claims.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run } from '../../terminal/user-error.ts';

const usage = `Usage: npm run -s key -- [--sub demo] [--scope runtime,logs] [--name Local] [--claim org_id=acme --claim org_role=admin]
Prints a new API key of the local host. Each --claim adds a claim to its owner's token.`;

/** Prints a new API key of the local host. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      sub: { type: 'string', default: 'demo' },
      scope: { type: 'string', default: 'runtime,logs' },
      name: { type: 'string' },
      claim: { type: 'string', multiple: true },
    },
  });
  const services = await openLocalServices();
  try {
    const { sub, scope, name, claim } = values;
    const scopes = scope.split(',').map((one) => one.trim());
    console.log(await createApiKey(services, { sub, scopes, claims: parseClaims(claim), ...(name && { name }) }));
  } finally {
    await services.stop();
  }
});
