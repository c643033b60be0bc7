import { findLiveKit, openLiveKit } from '../../shared/conversation/livekit-lease.ts';
import { mintToken } from '../../shared/conversation/mint-token.ts';
import { listCallTools } from '../../shared/domain/tools/functions.ts';
import { checkVariables, renderForCall } from '../../shared/domain/tools/rendering.ts';
import { getAgentName, nameWebCall, toDispatchMetadata } from '../../shared/domain/web-call.ts';
import { countedEndpoint } from '../../shared/http/endpoint.ts';
import { create } from '../../shared/routes/web-calls.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import { readForCall } from '../../shared/store/call-config.ts';

const locs = { version: ['body', 'version'] };

/** Lets a browser join a room where the assistant answers. Checks first what the worker will ask for, since a refusal there is silence. */
export const handler = countedEndpoint(create, async ({ params, body, user, audit, tell, count }) => {
  const { room, identity } = nameWebCall();
  const { participant_name, version, variables, ttl_seconds } = body;
  const { stored } = await readForCall(user.key, params.assistant_id, { version, room }, locs);
  const values = { call: { room_name: room, participant_name }, variables };
  checkVariables(stored.variables, values);
  await renderForCall(stored, listCallTools(stored), values);
  const agentName = getAgentName(stored);
  const lease = await findLiveKit(user.key, stored);
  await count();
  const project = await openLiveKit({ owner: user.key, audit, tell }, stored, lease);
  const expiresAt = new Date((Math.floor(Date.now() / 1_000) + ttl_seconds) * 1_000);
  const token = await mintToken(project, {
    ...{ room, identity, agentName, ttlSeconds: ttl_seconds },
    name: participant_name ?? undefined,
    metadata: toDispatchMetadata(stored.id, body),
  });
  return {
    body: toEnvelope('Web call prepared', {
      url: project.url,
      room_name: room,
      token,
      agent_name: agentName,
      expires_at: expiresAt.toISOString(),
    }),
  };
});
