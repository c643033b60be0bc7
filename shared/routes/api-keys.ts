import * as v from 'valibot';
import { route } from '../route.ts';
import { ApiKey, ApiKeyPath, IssuedApiKey, NewApiKey, Rotation } from '../schemas/api-key.ts';
import { Deleted, Envelope } from '../schemas/common.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'api-keys/create',
  method: 'POST',
  path: '/api-keys',
  scope: 'none',
  summary: 'Create an API key for a worker',
  description:
    'The key acts as you, within its scopes. `secret` is returned only once, and stored as a hash; it is null in a response that is ' +
    'repeated for an `Idempotency-Key`. A user has at most 100 active keys. `quota` limits what the key may spend in a day (UTC), besides ' +
    'the limits of your tier.',
  body: NewApiKey,
  returns: IssuedApiKey,
  creates: true,
  errors: ['Conflict'],
  tells: ['api_key.created'],
  needs: {
    rows: { keylist: ['Query', 'PutItem', 'UpdateItem'], keys: ['PutItem'], once: ['GetItem', 'PutItem'] },
    tiers: true,
  },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'api-keys/list',
  method: 'GET',
  path: '/api-keys',
  scope: 'none',
  summary: 'List your API keys, newest first',
  description:
    'Does not return their secrets. `last_used_at` is exact to the hour. Expired keys stay listed for a month.',
  returns: Envelope(v.object({ api_keys: v.array(ApiKey) })),
  errors: [],
  needs: { rows: { keylist: ['Query'], keys: ['BatchGetItem'] } },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'api-keys/delete',
  method: 'DELETE',
  path: '/api-keys/{api_key_id}',
  scope: 'none',
  summary: 'Revoke an API key',
  description: 'Takes effect within 60 seconds, because functions cache keys for that long.',
  params: ApiKeyPath,
  returns: Deleted,
  errors: ['NotFound', 'Conflict'],
  tells: ['api_key.revoked'],
  needs: { rows: { keylist: ['GetItem', 'DeleteItem'], keys: ['DeleteItem'] } },
}));

export const rotate = /* @__PURE__ */ route(() => ({
  id: 'api-keys/rotate',
  method: 'POST',
  path: '/api-keys/rotate',
  scope: 'none',
  summary: 'Replace an API key by a new one',
  description:
    'The new key has the name, the scopes, the quota and the lifetime of the old one. The old one stays valid for `grace_seconds`, ' +
    'and up to a minute longer while functions cache it. `secret` is returned only once.',
  body: Rotation,
  returns: IssuedApiKey,
  creates: true,
  errors: ['NotFound', 'Conflict'],
  tells: ['api_key.rotated'],
  needs: {
    rows: {
      keylist: ['Query', 'GetItem', 'PutItem', 'UpdateItem'],
      keys: ['PutItem', 'UpdateItem'],
      once: ['GetItem', 'PutItem'],
    },
    tiers: true,
  },
}));
