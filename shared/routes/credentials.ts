import * as v from 'valibot';
import { route } from '../route.ts';
import { Deleted, Envelope, QueryInteger } from '../schemas/common.ts';
import { Credential, CredentialPath, CredentialQuery, NewCredential } from '../schemas/credential.ts';

export const upsert = /* @__PURE__ */ route(() => ({
  id: 'credentials/upsert',
  method: 'POST',
  path: '/user-credentials',
  scope: 'write',
  summary: 'Save the key of a third-party service',
  description:
    "Creates or replaces the credential of that service and name. Without `name`, replaces the service's only one, else the one " +
    'called `default`. The key is encrypted before it is stored, and no response of this resource contains it.',
  body: NewCredential,
  returns: Envelope(Credential),
  creates: true,
  errors: ['Conflict'],
  tells: ['credential.saved'],
  needs: {
    rows: { credentials: ['Query', 'GetItem', 'PutItem'], once: ['PutItem'] },
    secrets: { credentials: ['Encrypt'] },
  },
}));

export const list = /* @__PURE__ */ route(() => ({
  id: 'credentials/list',
  method: 'GET',
  path: '/user-credentials',
  scope: 'read',
  summary: 'List your credentials, by service and name',
  description: 'Keys are masked: only their last four characters are returned, or none if a key has eight or fewer.',
  query: v.object({ limit: v.optional(QueryInteger(1, 1000)), cursor: v.optional(v.string()) }),
  returns: v.array(Credential),
  paged: true,
  errors: [],
  needs: { rows: { credentials: ['Query'] } },
}));

export const remove = /* @__PURE__ */ route(() => ({
  id: 'credentials/delete',
  method: 'DELETE',
  path: '/user-credentials/{service_type}',
  scope: 'write',
  summary: 'Delete the key of a third-party service',
  description: "Without `name`, deletes the service's only one. If there are several, 409 lists them.",
  params: CredentialPath,
  query: CredentialQuery,
  returns: Deleted,
  errors: ['NotFound', 'Conflict'],
  tells: ['credential.deleted'],
  needs: { rows: { credentials: ['Query', 'GetItem', 'DeleteItem'] } },
}));
