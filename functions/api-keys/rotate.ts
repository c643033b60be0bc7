import { issued, replacementOf } from '../../shared/domain/api-key.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { rotate } from '../../shared/routes/api-keys.ts';
import * as apiKeys from '../../shared/store/api-keys.ts';

/** Replaces a key of the caller by a new one; the old one stays good for the grace. */
export const handler = jsonEndpoint(rotate, async ({ body, user, once, replay }) => {
  await replay();
  const secret = apiKeys.newSecret();
  const key = await apiKeys.rotate(user.key, body.id, body.grace_seconds, (old) => {
    const key = replacementOf(old, secret);
    return { key, also: once(issued(key, null)) };
  });
  return issued(key, secret);
});
