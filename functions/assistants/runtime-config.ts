import { toAssistantResult } from '../../shared/domain/assistant.ts';
import { roles, toCredentialLookup } from '../../shared/domain/credential-lookup.ts';
import { buildRuntimeConfig, toConfigEtag, toLeaseAudit, toLeaseData } from '../../shared/domain/runtime-config.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { runtimeConfig } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as assistants from '../../shared/store/assistants.ts';
import * as leases from '../../shared/store/credentials/leases.ts';
import * as journal from '../../shared/store/journal.ts';
import * as attachments from '../../shared/store/knowledge-bases/attachments.ts';

/**
 * Returns everything that a worker needs for a call, including the vendors' keys. Each requested key gets an audit log
 * line, and all together an event, which is stored while the keys are decrypted.
 */
export const handler = writeEndpoint(runtimeConfig, async ({ params, user, isNotModified, audit, tell }) => {
  const assistant = await assistants.get(user.key, params.assistant_id);
  const lookups = roles.map((role) => toCredentialLookup(assistant, role));
  const [attached, found] = await Promise.all([
    attachments.listAttached(user.key, assistant),
    leases.findCredentials(user.key, lookups),
  ]);
  const result = toAssistantResult(assistant, user, attached);
  const etag = toConfigEtag(result.etag, found);
  const auditLease = (facts: object) => audit('lease', { assistant: assistant.id, ...facts });
  if (isNotModified(etag)) {
    toLeaseAudit(found, found, 'renewed').forEach(auditLease);
    return { body: null, etag };
  }
  const leased = tell('credential.leased', assistant.id, toLeaseData(assistant.id, found));
  const [opened] = await Promise.all([leases.decryptCredentials(user.key, found), journal.record(leased)]);
  toLeaseAudit(found, opened, 'handed over').forEach(auditLease);
  const body = toEnvelope('Runtime configuration read', buildRuntimeConfig(result.body, opened));
  // The tag does not depend on decryption, so a result with a failed decryption is sent without one.
  return opened.includes('undecryptable') ? { body } : { body, etag };
});
