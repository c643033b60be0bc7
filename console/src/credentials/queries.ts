import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { Credential, NewCredential } from '../api/types.ts';

/** Query for all credentials, masked, by service and name. One response holds more than 10,000. */
export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: async ({ signal }) => (await api.GET('/user-credentials', { signal })).data,
});

/** Saves a key. Replaces the one with the same service and name. Throws ApiError. */
export const saveCredential = (body: NewCredential) => api.POST('/user-credentials', { body });

export const deleteCredential = ({ service_type, name }: Credential) =>
  api.DELETE('/user-credentials/{service_type}', { params: { path: { service_type }, query: { name } } });
