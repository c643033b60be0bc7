import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { IssuedApiKey, NewApiKey } from '../api/types.ts';

/** Query for all API keys, without their secrets, newest first. */
export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await api.GET('/api-keys', { signal })).data.data.api_keys,
});

const toHeaderParams = (key: string) => ({ header: { 'Idempotency-Key': key } });

/**
 * Creates a key. A retry with the same `idempotencyKey` creates no second one, and returns no secret. Throws ApiError.
 */
export const createKey = async (body: NewApiKey, idempotencyKey: string): Promise<IssuedApiKey> =>
  (await api.POST('/api-keys', { params: toHeaderParams(idempotencyKey), body })).data.data;

/** The key to replace, and the seconds that it stays valid afterwards. */
export interface Rotation {
  id: string;
  grace_seconds: number;
}

/** Replaces a key with a new one. Retries behave as in `createKey`. Throws ApiError. */
export const rotateKey = async (body: Rotation, idempotencyKey: string): Promise<IssuedApiKey> =>
  (await api.POST('/api-keys/rotate', { params: toHeaderParams(idempotencyKey), body })).data.data;

export const revokeKey = (api_key_id: string) =>
  api.DELETE('/api-keys/{api_key_id}', { params: { path: { api_key_id } } });
