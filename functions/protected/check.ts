import { endpoint } from '../../shared/light-endpoint.ts';
import { check } from '../../shared/routes/protected.ts';
import { envelope } from '../../shared/schemas/common.ts';

/** Says who the token stands for. Reads nothing. */
export const handler = endpoint(check, async ({ user }) => ({
  body: envelope('The token is valid', {
    user_id: user.id,
    token_type: user.tokenType,
    expires_at: user.expiresAt,
    scopes: user.scopes,
  }),
}));
