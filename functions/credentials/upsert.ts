import { saved, serviceOf } from '../../shared/domain/credential.ts';
import { jsonEndpoint } from '../../shared/endpoint.ts';
import { upsert } from '../../shared/routes/credentials.ts';
import { envelope } from '../../shared/schemas/common.ts';
import type { Credential } from '../../shared/schemas/credential.ts';
import * as credentials from '../../shared/store/credentials.ts';
import { encrypt } from '../../shared/store/secrets.ts';

const answer = (credential: Credential) => ({
  body: envelope('Credential saved', credential),
  created: `/user-credentials/${credential.service_type}?name=${encodeURIComponent(credential.name)}`,
});

/** Saves a key, encrypted for this user, service and name alone. Saving is an upsert. */
export const handler = jsonEndpoint(upsert, async ({ body, user, once }) => {
  const service = serviceOf(body.service_type);
  const credential = await credentials.upsert(user.key, service, body.name, async (existing) => {
    const credential = saved(existing, body);
    const secret = await encrypt(body.api_key, { user: user.key, service, name: credential.name });
    return { credential, secret, also: once(answer(credential)) };
  });
  return answer(credential);
});
