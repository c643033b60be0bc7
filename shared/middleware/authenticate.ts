import { isApiKey } from '../domain/api-key.ts';
import { InsufficientScope, InvalidToken, NotAuthenticated } from '../errors.ts';
import type { Route } from '../route.ts';
import type { User } from '../user.ts';
import { type FindKey, holderOf } from './api-key.ts';
import { header, type Layer } from './onion.ts';
import { userOf } from './token.ts';

/**
 * What an API key may do is said by its scopes; a person may do everything but what is a worker's alone. A machine client may
 * do what its user may, but make no keys, which would outlive it.
 */
function demandScope({ scope, workersOnly }: Route, { tokenType, scopes, client }: User): void {
  if (scope === 'none' && (tokenType === 'api_key' || client !== undefined)) {
    throw new InsufficientScope('Only a person may manage API keys: use a token of one');
  }
  if (tokenType === 'jwt') {
    if (workersOnly) throw new InsufficientScope(`Only an API key with the scope "${scope}" may do this`, scope);
    return;
  }
  if (scope !== 'any' && scope !== 'none' && !scopes.includes(scope)) {
    throw new InsufficientScope(`The API key lacks the scope "${scope}": make one that has it`, scope);
  }
}

/**
 * Finds out who calls, and whether they may. Throws NotAuthenticated, InvalidToken, InsufficientScope,
 * or Unavailable where the issuer, or the database of a key, cannot be reached.
 */
export const authenticate = (route: Route, findKey: FindKey): Layer => ({
  async before({ event, internal }) {
    const authorization = header(event, 'authorization');
    if (!authorization || !/^bearer(?: |$)/i.test(authorization)) throw new NotAuthenticated();
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (!token) throw new InvalidToken('Send the header "Authorization: Bearer <token>"');
    internal.user = isApiKey(token) ? await holderOf(token, findKey) : await userOf(token);
    demandScope(route, internal.user);
  },
});
