import { isApiKey } from '../../domain/api-key.ts';
import { allows, explainRole } from '../../domain/workspace.ts';
import { InsufficientScope, InvalidToken, LoopDetected, NotAuthenticated } from '../../errors.ts';
import { isLoop } from '../../outbound/user-agents.ts';
import type { Route } from '../../route.ts';
import type { User } from '../../user.ts';
import { type FindKey, verifyApiKey } from './api-key.ts';
import { getHeader, type Middleware } from './middleware.ts';
import { verifyToken, workspaceRules } from './token.ts';

/**
 * Throws InsufficientScope if the caller may not use the route. API keys are limited by their scopes, members of a workspace by those of
 * their role. People may otherwise use every route except those for workers only. Machine clients have their user's permissions, but cannot
 * manage API keys: a key would outlive the client's access.
 */
function checkScope({ scope, workersOnly }: Route, { tokenType, scopes, client, workspace, role = null }: User): void {
  if (scope === 'none' && (tokenType === 'api_key' || client !== undefined)) {
    throw new InsufficientScope("Only people may manage API keys: use a person's token");
  }
  if (tokenType === 'jwt') {
    if (workersOnly) throw new InsufficientScope(`This requires an API key with the scope "${scope}"`, scope);
    if (workspaceRules && workspace !== undefined && scope !== 'any' && !allows(scopes, scope))
      throw new InsufficientScope(explainRole(role, scope, workspaceRules), scope === 'none' ? undefined : scope);
    return;
  }
  if (!allows(scopes, scope)) {
    throw new InsufficientScope(`The API key lacks the scope "${scope}": create one that has it`, scope);
  }
}

/**
 * Authenticates the caller and checks their permissions. Throws LoopDetected, NotAuthenticated, InvalidToken, Conflict, NotAMember or
 * InsufficientScope, or Unavailable if the token issuer or the table cannot be reached.
 */
export const authenticate = (route: Route, findKey: FindKey): Middleware => ({
  async before({ event, internal }) {
    if (isLoop(getHeader(event, 'user-agent'))) throw new LoopDetected();
    const authorization = getHeader(event, 'authorization');
    if (!authorization || !/^bearer(?: |$)/i.test(authorization)) throw new NotAuthenticated();
    const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? [];
    if (!token) throw new InvalidToken('Send the header "Authorization: Bearer <token>"');
    internal.user = isApiKey(token)
      ? await verifyApiKey(token, findKey)
      : await verifyToken(token, getHeader(event, 'x-workspace'));
    checkScope(route, internal.user);
  },
});
