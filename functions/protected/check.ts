import { endpoint } from '../../shared/http/light-endpoint.ts';
import { check } from '../../shared/routes/protected.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';

/** Returns the user of a token. Reads the table only if limits apply. */
export const handler = endpoint(check, async ({ user }) => {
  const { key, limits } = user;
  // Loads the DynamoDB client on first use, since few callers have limits.
  const quotas =
    limits.length > 0 ? await (await import('../../shared/store/quota-counts.ts')).listUse(key, limits) : [];
  const body = toEnvelope('The token is valid', {
    user_id: user.id,
    token_type: user.tokenType,
    expires_at: user.expiresAt,
    scopes: [...user.scopes],
    workspace: user.workspace ?? null,
    role: user.role ?? null,
    workspaces: user.workspaces,
    tier: user.tier ?? null,
    quotas,
  });
  return { body };
});
