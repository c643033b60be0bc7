import { buildRuntimeConfig, toConfigEtag, toLeaseAudit, toLeaseData } from '../../shared/domain/runtime-config.ts';
import { listMissing, renderDefaults } from '../../shared/domain/tools/rendering.ts';
import { noValues } from '../../shared/domain/tools/scope.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { runtimeConfig } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readCallConfig } from '../../shared/store/call-config.ts';
import { decryptCredentials } from '../../shared/store/credentials/leases.ts';
import * as journal from '../../shared/store/journal.ts';

/**
 * Returns everything that a worker needs for a call, including the vendors' keys. Each requested key gets an audit log
 * line, and all together an event, which is stored while the keys are decrypted.
 */
export const handler = writeEndpoint(runtimeConfig, async ({ params, query, user, isNotModified, audit, tell }) => {
  const remote = query.tools === 'remote';
  const config = await readCallConfig(user, params.assistant_id, { remote, version: query.version, room: query.call });
  const { stored, leases, found } = config;
  const etag = toConfigEtag(config.etag, found, remote);
  const auditLease = (facts: object) => audit('lease', { assistant: stored.id, ...facts });
  if (isNotModified(etag)) {
    toLeaseAudit(leases, found, found, 'renewed').forEach(auditLease);
    return { body: null, etag };
  }
  const leased = tell('credential.leased', stored.id, toLeaseData(stored.id, leases, found));
  const [opened, rendered] = await Promise.all([
    decryptCredentials(user.key, found),
    renderDefaults(stored, config.tools),
    journal.record(leased),
  ]);
  toLeaseAudit(leases, found, opened, 'handed over').forEach(auditLease);
  const missing = listMissing(stored.variables, noValues);
  const body = toEnvelope(
    'Runtime configuration read',
    buildRuntimeConfig({ ...config, opened, rendered, missing, remote }),
  );
  // The tag does not depend on decryption, so a result with a failed decryption is sent without one.
  return opened.includes('undecryptable') ? { body } : { body, etag };
});
