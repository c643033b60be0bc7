import { parseClaims } from '../../local/emulators/issuer/claims.ts';
import { LocalIssuer } from '../../local/emulators/issuer/issuer.ts';
import { chooseHost } from '../../local/running-hosts.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';

const usage = `Usage: npm run -s token -- [--sub demo] [--ttl 3600] [--scope "read write"] [--claim org_id=acme --claim org_role=editor]
Prints a token of the local issuer, valid for --ttl seconds. Each --claim adds a claim: a list, if several have one name.`;

/** Prints a token of the local issuer. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      sub: { type: 'string', default: 'demo' },
      ttl: { type: 'string', default: '3600' },
      scope: { type: 'string' },
      claim: { type: 'string', multiple: true },
    },
  });
  const ttl = Number(values.ttl);
  if (!Number.isInteger(ttl)) throw new UserError('--ttl must be a whole number of seconds, for example --ttl 3600');
  const claims = parseClaims(values.claim);
  const issuer = await LocalIssuer.open((await chooseHost()).dir);
  console.log(await issuer.token({ sub: values.sub, ttl, scope: values.scope, claims }));
});
