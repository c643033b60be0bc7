import { AccessToken, RoomAgentDispatch, RoomConfiguration, TrackSource } from 'livekit-server-sdk';
import type { LiveKitProject } from '../domain/web-call.ts';

/** Permissions of a token of LiveKit: one room, and the worker that LiveKit sends there. */
interface Grant {
  room: string;
  identity: string;
  /** Name that others in the room see. */
  name: string | undefined;
  ttlSeconds: number;
  agentName: string;
  /** Metadata of the dispatch, for the worker. */
  metadata: string;
}

/** Mints a token of LiveKit. */
export function mintToken(
  { api_key, api_secret }: LiveKitProject,
  { room, identity, name, ttlSeconds, agentName, metadata }: Grant,
): Promise<string> {
  const token = new AccessToken(api_key, api_secret, { identity, ttl: ttlSeconds, ...(name && { name }) });
  token.addGrant({
    ...{ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
    canPublishSources: [TrackSource.MICROPHONE],
  });
  token.roomConfig = new RoomConfiguration({ agents: [new RoomAgentDispatch({ agentName, metadata })] });
  return token.toJwt();
}
