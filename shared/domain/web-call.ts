import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { define } from '../define.ts';
import { VendorRefused } from '../errors.ts';
import type { NewWebCall } from '../schemas/web-call.ts';
import type { StoredAssistant } from './assistant.ts';
import { type LookupFailure, lookupFailures, toNamedLookup } from './credential-lookup.ts';
import type { Lease } from './runtime-config.ts';
import { stripSlashes } from './strip-slashes.ts';

/** Name of the worker that takes the calls of an assistant that names none in `transport.livekit.agent_name`. */
const defaultAgentName = 'voice-assistants';

/** Settings of LiveKit in `transport`, which holds them as they were sent. */
const getSettings = ({ transport }: StoredAssistant): { agent_name?: unknown; credential?: unknown } => {
  const { livekit } = transport as { livekit?: unknown };
  return typeof livekit === 'object' && livekit !== null ? livekit : {};
};

/** Returns the name of the worker that takes the calls of an assistant. Throws VendorRefused if it cannot be one. */
export function getAgentName(assistant: StoredAssistant): string {
  const { agent_name } = getSettings(assistant);
  if (agent_name === undefined || agent_name === null) return defaultAgentName;
  if (typeof agent_name === 'string' && agent_name.trim() !== '' && agent_name.length <= 128) return agent_name;
  const msg = `"transport.livekit.agent_name" should be the name of your worker, its LIVEKIT_AGENT_NAME: correct it, or remove it for "${defaultAgentName}"`;
  throw new VendorRefused(msg, 'invalid_agent_name');
}

/** Returns the lease of an assistant's credential of LiveKit. */
export const toLiveKitLease = (assistant: StoredAssistant): Lease => ({
  role: 'transport',
  lookup: toNamedLookup('livekit', getSettings(assistant).credential),
});

/** A project of LiveKit, with the key that mints its tokens. */
export interface LiveKitProject {
  /** Address of the server for browsers. */
  url: string;
  api_key: string;
  api_secret: string;
}

const advice =
  'save {"url": "wss://…", "api_key": "…", "api_secret": "…"}, as text, as the "api_key" of the "service_type" "livekit" by POST /user-credentials';

/** Builds the error for a credential of LiveKit that is missing or cannot be used. */
export const toLiveKitError = (failure: LookupFailure): VendorRefused =>
  new VendorRefused(
    failure === 'missing' ? `You have no credential of LiveKit: ${advice}` : `LiveKit: ${lookupFailures[failure]}`,
    failure,
  );

const isLocal = (host: string) => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host);

/** Returns the address at which browsers reach a server of LiveKit. Undefined if they cannot. */
function toSocketUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || url.username || url.password || url.search || url.hash) return undefined;
  const protocol = url.protocol.replace(/^http/, 'ws');
  // Browsers allow no microphone without TLS, except on the same machine.
  if (protocol !== 'wss:' && !(protocol === 'ws:' && isLocal(url.hostname))) return undefined;
  return stripSlashes(`${protocol}//${url.host}${url.pathname}`);
}

const Project = /* @__PURE__ */ define(() => {
  const Part = v.pipe(v.string(), v.trim(), v.minLength(1));
  return v.object({ url: v.string(), api_key: Part, api_secret: Part });
});

/** Parses a credential of LiveKit. Throws VendorRefused, without a part of it. */
export function parseProject(text: string): LiveKitProject {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), Project), text);
  const url = success ? toSocketUrl(output.url) : undefined;
  if (success && url) return { ...output, url };
  throw new VendorRefused(`The credential of LiveKit cannot be used: ${advice}`, 'invalid_credential');
}

/** Returns the names of a new call: of its room, which nobody can guess, and of the browser in it. */
export const nameWebCall = () => ({ room: `web-${randomUUID()}`, identity: `browser-${randomUUID()}` });

/** Returns the metadata that LiveKit passes to the worker of a call. `docs/workers` reads it. */
export const toDispatchMetadata = (
  assistantId: string,
  { version, variables }: Pick<NewWebCall, 'version' | 'variables'>,
): string => JSON.stringify({ assistant_id: assistantId, version: String(version), variables });
