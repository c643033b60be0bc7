import { existsSync, readFileSync } from 'node:fs';
import { UserError } from '../terminal/user-error.ts';
import { createApiKey } from './api-key.ts';
import type { Services } from './services.ts';

const sub = 'demo';

/**
 * Loads the sample event of a route from `file`, by default `events/<id>.json`. Replaces `<token>` by a new token and `<api key>` by a
 * new API key of the user "demo". Throws UserError if the file does not exist.
 */
export async function loadFixture(
  services: Services,
  routeId: string | undefined,
  file = `events/${routeId}.json`,
): Promise<unknown> {
  if (!routeId) throw new UserError('Name a route, for example assistants/create');
  if (!existsSync(file)) throw new UserError(`There is no event ${file}: routes are named like assistants/create`);
  const event = readFileSync(file, 'utf8');
  if (event.includes('<api key>')) {
    const key = await createApiKey(services, { sub, scopes: ['read', 'write', 'logs', 'runtime'], name: 'Event' });
    return JSON.parse(event.replaceAll('<api key>', key));
  }
  return JSON.parse(event.replaceAll('<token>', await services.issuer.token({ sub, ttl: 3600 })));
}
