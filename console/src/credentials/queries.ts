import { queryOptions } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import type { Credential, NewCredential } from '../api/types.ts';

/** All credentials, masked, by service and name: one answer holds more than ten thousand. */
export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: async ({ signal }) => (await answer(api.GET('/user-credentials', { signal }))).data,
});

/** Saves a key, over that of the same service and name where there is one. Throws Problem. */
export const saveCredential = (body: NewCredential) => answer(api.POST('/user-credentials', { body }));

/** Deletes a credential. Throws Problem. */
export const deleteCredential = ({ service_type, name }: Credential) =>
  answer(api.DELETE('/user-credentials/{service_type}', { params: { path: { service_type }, query: { name } } }));
