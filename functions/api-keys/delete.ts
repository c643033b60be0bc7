import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/api-keys.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as apiKeys from '../../shared/store/api-keys/api-keys.ts';

/** Revokes an API key of the caller. */
export const handler = writeEndpoint(remove, async ({ params, user, tell }) => {
  const id = params.api_key_id;
  await apiKeys.remove(user.key, id, [tell('api_key.revoked', id, {})]);
  return { body: toEnvelope('API key revoked', { id }) };
});
