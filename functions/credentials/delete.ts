import { normalizeService } from '../../shared/domain/credential.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { remove } from '../../shared/routes/credentials.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as credentials from '../../shared/store/credentials/credentials.ts';

/** Deletes a credential of the caller. */
export const handler = writeEndpoint(remove, async ({ params, query, user, tell }) => {
  const service = normalizeService(params.service_type);
  const id = await credentials.remove(user.key, service, query.name, ({ id, service_type, name }) => [
    tell('credential.deleted', id, { service_type, name }),
  ]);
  return { body: toEnvelope('Credential deleted', { id }) };
});
