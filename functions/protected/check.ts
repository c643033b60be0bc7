import { endpoint } from '../../shared/http/light-endpoint.ts';
import { check } from '../../shared/routes/protected.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';

/** Returns the user of a token, without reading the table. */
export const handler = endpoint(check, async ({ user }) => ({
  body: toEnvelope('The token is valid', {
    user_id: user.id,
    token_type: user.tokenType,
    expires_at: user.expiresAt,
    scopes: [...user.scopes],
    workspace: user.workspace ?? null,
    role: user.role ?? null,
    workspaces: user.workspaces,
  }),
}));
