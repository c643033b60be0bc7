import { toPublicApiKey } from '../../shared/domain/api-key.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { list } from '../../shared/routes/api-keys.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as apiKeys from '../../shared/store/api-keys/api-keys.ts';

/** Lists the caller's API keys, newest first, without their secrets. */
export const handler = endpoint(list, async ({ user }) => ({
  body: toEnvelope('API keys read', { api_keys: (await apiKeys.list(user.key)).map(toPublicApiKey) }),
}));
