import { buildApiKey, toIssuedResult } from '../../shared/domain/api-key.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/api-keys.ts';
import * as apiKeys from '../../shared/store/api-keys/api-keys.ts';

/** Creates an API key that acts as the caller. Only this response contains the secret; a replayed one does not. */
export const handler = jsonEndpoint(create, async ({ body, user, tell, rememberResult, replay }) => {
  await replay();
  const secret = apiKeys.createSecret();
  const key = buildApiKey(body, { owner: user.key, user_id: user.id, tier: user.tier }, secret);
  const { id, name, scopes } = key;
  await apiKeys.insert(key, [
    tell('api_key.created', id, { name, scopes }),
    ...rememberResult(toIssuedResult(key, null)),
  ]);
  return toIssuedResult(key, secret);
});
