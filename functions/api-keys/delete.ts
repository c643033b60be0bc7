import { endpoint } from '../../shared/endpoint.ts';
import { remove } from '../../shared/routes/api-keys.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as apiKeys from '../../shared/store/api-keys.ts';

/** Revokes a key of the caller. */
export const handler = endpoint(remove, async ({ params, user }) => {
  const id = params.api_key_id;
  await apiKeys.remove(user.key, id);
  return { body: envelope('API key revoked', { id }) };
});
