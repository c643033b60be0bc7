import { openLeases } from '../../shared/conversation/open-leases.ts';
import { buildRuntimeConfig, toConfigEtag, toLeaseAudit } from '../../shared/domain/runtime-config.ts';
import { listMissing, renderDefaults } from '../../shared/domain/tools/rendering.ts';
import { noValues } from '../../shared/domain/tools/scope.ts';
import { writeEndpoint } from '../../shared/http/endpoint.ts';
import { runtimeConfig } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readCallConfig } from '../../shared/store/call-config.ts';

/**
 * Returns everything that a worker needs for a call, including the vendors' keys. Each requested key gets an audit log
 * line, and all together an event, which is stored while the keys are decrypted.
 */
export const handler = writeEndpoint(runtimeConfig, async ({ params, query, user, isNotModified, audit, tell }) => {
  const remote = query.tools === 'remote';
  const config = await readCallConfig(user, params.assistant_id, { remote, version: query.version, room: query.call });
  const { stored, leases, found } = config;
  const etag = toConfigEtag(config.etag, found, remote);
  if (isNotModified(etag)) {
    for (const facts of toLeaseAudit(leases, found, found, 'renewed'))
      audit('lease', { assistant: stored.id, ...facts });
    return { body: null, etag };
  }
  const [opened, rendered] = await Promise.all([
    openLeases({ owner: user.key, audit, tell }, stored.id, config, 'handed over'),
    renderDefaults(stored, config.tools),
  ]);
  const missing = listMissing(stored.variables, noValues);
  const body = toEnvelope(
    'Runtime configuration read',
    buildRuntimeConfig({ ...config, opened, rendered, missing, remote }),
  );
  // The tag does not depend on decryption, so a result with a failed decryption is sent without one.
  return opened.includes('undecryptable') ? { body } : { body, etag };
});
