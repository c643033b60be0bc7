import { normalizeService } from '../../shared/domain/credential.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/credentials.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as credentials from '../../shared/store/credentials/credentials.ts';

/** Deletes a credential of the caller. */
export const handler = endpoint(remove, async ({ params, query, user }) => {
  const id = await credentials.remove(user.key, normalizeService(params.service_type), query.name);
  return { body: toEnvelope('Credential deleted', { id }) };
});
