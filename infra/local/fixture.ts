import { existsSync, readFileSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { LocalIssuer } from './emulators/issuer.ts';
import { dataDir } from './host.ts';

/**
 * The event of a route, from `file` or from `events/<id>.json`, with a fresh token for the user "demo" in place of `<token>`.
 * Throws Problem where there is no such event.
 */
export async function fixture(routeId: string | undefined, file = `events/${routeId}.json`): Promise<unknown> {
  if (!routeId) throw new Problem('Name a route, for example assistants/create');
  if (!existsSync(file)) throw new Problem(`There is no event ${file}: routes are named like assistants/create`);
  const issuer = await LocalIssuer.open(dataDir());
  const token = await issuer.token({ sub: 'demo', ttl: 3600 });
  return JSON.parse(readFileSync(file, 'utf8').replaceAll('<token>', token));
}
