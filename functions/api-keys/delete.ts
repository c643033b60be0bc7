import { endpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/api-keys.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as apiKeys from '../../shared/store/api-keys/api-keys.ts';

/** Revokes an API key of the caller. */
export const handler = endpoint(remove, async ({ params, user }) => {
  const id = params.api_key_id;
  await apiKeys.remove(user.key, id);
  return { body: toEnvelope('API key revoked', { id }) };
});
