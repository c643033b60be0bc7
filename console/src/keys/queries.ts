import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import type { IssuedApiKey, NewApiKey } from '../api/types.ts';

/** All API keys, without their secrets, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await answer(api.GET('/api-keys', { signal }))).data.data.api_keys,
});

const headerOf = (key: string) => ({ header: { 'Idempotency-Key': key } });

/** Makes a key. Sent again under the same `idempotencyKey`, it makes no second, and answers without the secret. Throws Problem. */
export const createKey = async (body: NewApiKey, idempotencyKey: string): Promise<IssuedApiKey> =>
  (await answer(api.POST('/api-keys', { params: headerOf(idempotencyKey), body }))).data.data;

/** What replaces a key, and for how many seconds the old one stays good. */
export interface Rotation {
  id: string;
  grace_seconds: number;
}

/** Replaces a key by a new one; sent again, as `createKey`. Throws Problem. */
export const rotateKey = async (body: Rotation, idempotencyKey: string): Promise<IssuedApiKey> =>
  (await answer(api.POST('/api-keys/rotate', { params: headerOf(idempotencyKey), body }))).data.data;

/** Revokes a key. Throws Problem. */
export const revokeKey = (api_key_id: string) =>
  answer(api.DELETE('/api-keys/{api_key_id}', { params: { path: { api_key_id } } }));
