import { openLeases } from '../../shared/conversation/open-leases.ts';
import { buildRuntimeConfig } from '../../shared/domain/runtime-config.ts';
import { checkVariables, listMissing, renderForCall } from '../../shared/domain/tools/rendering.ts';
import { jsonEndpoint } from '../../shared/http/endpoint.ts';
import { startCall } from '../../shared/routes/assistants.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readCallConfig } from '../../shared/store/call-config.ts';

/** Returns everything that a worker needs for one call, with its texts rendered for it. */
export const handler = jsonEndpoint(startCall, async ({ params, query, body, user, audit, tell }) => {
  const remote = query.tools === 'remote';
  const room = body.call.room_name ?? undefined;
  const config = await readCallConfig(user, params.assistant_id, { remote, version: query.version, room });
  const { stored } = config;
  checkVariables(stored.variables, body);
  const rendered = await renderForCall(stored, config.tools, body);
  const opened = await openLeases({ owner: user.key, audit, tell }, stored.id, config, 'handed over');
  const missing = listMissing(stored.variables, body);
  const parts = { ...config, opened, rendered, missing, remote };
  return { body: toEnvelope('Runtime configuration read', buildRuntimeConfig(parts)) };
});
