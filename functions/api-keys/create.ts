import { issued, newKey } from '../../shared/domain/api-key.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { create } from '../../shared/routes/api-keys.ts';
import * as apiKeys from '../../shared/store/api-keys.ts';

/** Makes a key that acts as the caller. Its secret is in this answer alone, not even in a repeated one. */
export const handler = jsonEndpoint(create, async ({ body, user, once, replay }) => {
  await replay();
  const secret = apiKeys.newSecret();
  const key = newKey(body, { owner: user.key, user_id: user.id }, secret);
  await apiKeys.insert(key, once(issued(key, null)));
  return issued(key, secret);
});
