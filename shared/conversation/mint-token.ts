import { AccessToken, RoomAgentDispatch, RoomConfiguration } from 'livekit-server-sdk';
import type { LiveKitProject } from '../domain/web-call.ts';

/** What a token of LiveKit allows: to join one room, to which LiveKit then sends a worker. */
interface Grant {
  room: string;
  identity: string;
  /** Name that others in the room see. */
  name: string | undefined;
  ttlSeconds: number;
  agentName: string;
  /** What the worker is told. */
  metadata: string;
}

/** Mints a token of LiveKit. */
export function mintToken(
  { api_key, api_secret }: LiveKitProject,
  { room, identity, name, ttlSeconds, agentName, metadata }: Grant,
): Promise<string> {
  const token = new AccessToken(api_key, api_secret, { identity, ttl: ttlSeconds, ...(name && { name }) });
  token.addGrant({ room, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true });
  token.roomConfig = new RoomConfiguration({ agents: [new RoomAgentDispatch({ agentName, metadata })] });
  return token.toJwt();
}
