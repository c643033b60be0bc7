import { buildReplacement, toIssuedResult } from '../../shared/domain/api-key.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { rotate } from '../../shared/routes/api-keys.ts';
import * as apiKeys from '../../shared/store/api-keys/api-keys.ts';

/** Replaces an API key of the caller. The old one stays valid for the grace period. */
export const handler = jsonEndpoint(rotate, async ({ body, user, tell, rememberResult, replay }) => {
  await replay();
  const secret = apiKeys.createSecret();
  const key = await apiKeys.rotate(user.key, body.id, body.grace_seconds, (old) => {
    const key = buildReplacement(old, secret, user.tier);
    const { id: replacement_id, name, scopes } = key;
    const rotated = tell('api_key.rotated', old.id, { name, scopes, replacement_id });
    return { key, extraWrites: [rotated, ...rememberResult(toIssuedResult(key, null))] };
  });
  return toIssuedResult(key, secret);
});
