import { normalizeService, toSavedCredential } from '../../shared/domain/credential.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { upsert } from '../../shared/routes/credentials.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import type { Credential } from '../../shared/schemas/credential.ts';
import * as credentials from '../../shared/store/credentials/credentials.ts';
import { encrypt } from '../../shared/store/secrets.ts';

const toResult = (credential: Credential) => ({
  body: toEnvelope('Credential saved', credential),
  created: `/user-credentials/${credential.service_type}?name=${encodeURIComponent(credential.name)}`,
});

/** Creates or replaces a credential. Its key is encrypted for this user, service and name. */
export const handler = jsonEndpoint(upsert, async ({ body, user, tell, rememberResult }) => {
  const service = normalizeService(body.service_type);
  const credential = await credentials.upsert(user.key, service, body.name, async (existing) => {
    const credential = toSavedCredential(existing, body);
    const secret = await encrypt(body.api_key, { user: user.key, service, name: credential.name });
    const saved = tell('credential.saved', credential.id, { service_type: service, name: credential.name });
    return { credential, secret, extraWrites: [saved, ...rememberResult(toResult(credential))] };
  });
  return toResult(credential);
});
