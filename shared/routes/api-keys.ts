import * as v from 'valibot';
import { route } from '../route.ts';
import { ApiKey, ApiKeyPath, IssuedApiKey, NewApiKey, Rotation } from '../schemas/api-key.ts';
import { Deleted, Envelope } from '../schemas/common.ts';

export const create = /* @__PURE__ */ route(() => ({
  id: 'api-keys/create',
  method: 'POST',
  path: '/api-keys',
  scope: 'none',
  summary: 'Make an API key for a worker',
  description:
    'The key acts as you, within its scopes. `secret` is shown this once, and stored as a hash only; an answer that is ' +
    'repeated under its `Idempotency-Key` shows null in its place. At most 100 living keys a user.',
  body: NewApiKey,
  returns: IssuedApiKey,
  creates: true,
  errors: ['Conflict'],
  needs: { rows: { keylist: ['Query', 'PutItem', 'UpdateItem'], keys: ['PutItem'], once: ['GetItem', 'PutItem'] } },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'api-keys/list',
  method: 'GET',
  path: '/api-keys',
  scope: 'none',
  summary: 'List your API keys, newest first',
  description:
    'Their secrets are not shown. `last_used_at` is exact to the hour. Expired keys stay listed for a month.',
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
  description: 'It holds within 60 seconds: for so long functions remember a key that they have seen.',
  params: ApiKeyPath,
  returns: Deleted,
  errors: ['NotFound', 'Conflict'],
  needs: { rows: { keylist: ['GetItem', 'DeleteItem'], keys: ['DeleteItem'] } },
}));

export const rotate = /* @__PURE__ */ route(() => ({
  id: 'api-keys/rotate',
  method: 'POST',
  path: '/api-keys/rotate',
  scope: 'none',
  summary: 'Replace an API key by a new one',
  description:
    'The new key has the name, the scopes and the span of life of the old one, which stays good for `grace_seconds` more, ' +
    'and up to a minute beyond where functions remember it. `secret` is shown this once.',
  body: Rotation,
  returns: IssuedApiKey,
  creates: true,
  errors: ['NotFound', 'Conflict'],
  needs: {
    rows: {
      keylist: ['Query', 'GetItem', 'PutItem', 'UpdateItem'],
      keys: ['PutItem', 'UpdateItem'],
      once: ['GetItem', 'PutItem'],
    },
  },
}));
