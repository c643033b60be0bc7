import { shownKey } from '../../shared/domain/api-key.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { list } from '../../shared/routes/api-keys.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as apiKeys from '../../shared/store/api-keys.ts';

/** Lists the caller's keys, newest first, without their secrets. */
export const handler = endpoint(list, async ({ user }) => ({
  body: envelope('API keys read', { api_keys: (await apiKeys.list(user.key)).map(shownKey) }),
}));
