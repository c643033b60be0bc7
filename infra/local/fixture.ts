import { existsSync, readFileSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { makeApiKey } from './api-key.ts';
import type { Services } from './services.ts';

const sub = 'demo';

/**
 * The event of a route, from `file` or from `events/<id>.json`, with a fresh token for the user "demo" in place of `<token>`,
 * or a fresh API key in place of `<api key>`. Throws Problem where there is no such event.
 */
export async function fixture(
  services: Services,
  routeId: string | undefined,
  file = `events/${routeId}.json`,
): Promise<unknown> {
  if (!routeId) throw new Problem('Name a route, for example assistants/create');
  if (!existsSync(file)) throw new Problem(`There is no event ${file}: routes are named like assistants/create`);
  const event = readFileSync(file, 'utf8');
  if (event.includes('<api key>')) {
    const key = await makeApiKey(services, { sub, scopes: ['read', 'write', 'logs', 'runtime'], name: 'Event' });
    return JSON.parse(event.replaceAll('<api key>', key));
  }
  return JSON.parse(event.replaceAll('<token>', await services.issuer.token({ sub, ttl: 3600 })));
}
