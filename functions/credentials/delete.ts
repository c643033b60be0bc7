import { serviceOf } from '../../shared/domain/credential.ts';
import { endpoint } from '../../shared/endpoint.ts';
import { remove } from '../../shared/routes/credentials.ts';
import { envelope } from '../../shared/schemas/common.ts';
import * as credentials from '../../shared/store/credentials.ts';

/** Deletes a credential of the caller. */
export const handler = endpoint(remove, async ({ params, query, user }) => {
  const id = await credentials.remove(user.key, serviceOf(params.service_type), query.name);
  return { body: envelope('Credential deleted', { id }) };
});
