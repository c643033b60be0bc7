import { api } from '../../api/client.ts';
import type { NewWebCall, WebCall } from '../../api/types.ts';
import { readConfig } from '../../auth/config.ts';
import { CallError } from './call-error.ts';
import { canConnect } from './voice-servers.ts';

/** Prepares a call of an assistant. Throws ApiError, or CallError if the console may not connect to the server. */
export async function prepareCall(assistant_id: string, body: NewWebCall, signal: AbortSignal): Promise<WebCall> {
  const path = { assistant_id };
  const { data } = await api.POST('/assistants/{assistant_id}/web-calls', { params: { path }, body, signal });
  const { url } = data.data;
  const { voiceServers } = await readConfig();
  if (!canConnect(url, voiceServers)) throw new CallError('unlisted_server', new URL(url).host);
  return data.data;
}
