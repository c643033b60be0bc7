import { parseArgs } from 'node:util';
import { Problem, run } from '../problem.ts';
import { LocalIssuer } from './emulators/issuer.ts';
import { chooseHost } from './running.ts';

/** Prints a token of the local issuer. */
run(async () => {
  const { values } = parseArgs({
    options: {
      sub: { type: 'string', default: 'demo' },
      ttl: { type: 'string', default: '3600' },
      scope: { type: 'string' },
    },
  });
  const ttl = Number(values.ttl);
  if (!Number.isInteger(ttl)) throw new Problem('--ttl takes a whole number of seconds, for example --ttl 3600');
  const issuer = await LocalIssuer.open((await chooseHost()).dir);
  console.log(await issuer.token({ sub: values.sub, ttl, scope: values.scope }));
});
