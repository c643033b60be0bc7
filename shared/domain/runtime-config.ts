import { hash } from 'node:crypto';
import type { EventData } from '../events.ts';
import type { Assistant } from '../schemas/assistant.ts';
import type { Credential } from '../schemas/credential.ts';
import { isHeaderValue } from '../schemas/outbound.ts';
import type { CallTool, RuntimeConfig } from '../schemas/runtime-config.ts';
import type { CredentialReference, McpServer, Tool } from '../schemas/tool.ts';
import type { StoredAssistant } from './assistant.ts';
import { normalizeService } from './credential.ts';
import {
  type CredentialLookup,
  describeLookupFailure,
  type LookupFailure,
  type Role,
  roles,
  toCredentialLookup,
} from './credential-lookup.ts';
import { getTimeIn } from './time.ts';
import { getParameters } from './tools/functions.ts';
import type { RenderedTexts } from './tools/rendering.ts';

/** Credential that a call needs: of a role, a tool or an MCP server. */
export interface Lease {
  /** Its user: `voice`, `tool:find_order`, `mcp:crm`. */
  role: string;
  lookup: CredentialLookup | LookupFailure;
}

/** Returns the lease of a tool's or an MCP server's credential. */
export const toToolLease = (role: string, { service_type, name }: CredentialReference): Lease => ({
  role,
  lookup: { service: normalizeService(service_type), name: name ?? undefined },
});

/** Lists the credentials that a call needs. Those of `http` tools are left out if the service is to run them. */
export const listLeases = (assistant: StoredAssistant, tools: readonly Tool[], remote: boolean): Lease[] => [
  ...roles.map((role) => ({ role, lookup: toCredentialLookup(assistant, role) })),
  ...tools.flatMap((tool) =>
    tool.type === 'http' && tool.http.credential && !remote
      ? [toToolLease(`tool:${tool.name}`, tool.http.credential)]
      : [],
  ),
  ...assistant.mcp_servers.flatMap(({ name, credential }) =>
    credential ? [toToolLease(`mcp:${name}`, credential)] : [],
  ),
];

/** Credential of a lease, or the reason why it has none. */
type LookupResult = { credential: Credential } | LookupFailure;

/**
 * Returns the entity tag of a runtime configuration: a digest of the assistant's tag and of the credentials of its
 * leases. The tag is weak, since every response has a new `expires_at`.
 */
export function toConfigEtag(assistantTag: string, found: readonly LookupResult[], remote: boolean): string {
  const facts = found.map((one) => {
    if (typeof one === 'string') return one;
    const { id, name, masked_key, updated_at } = one.credential;
    return [id, name, masked_key, updated_at];
  });
  // The 3 is the format of the response: a copy without a version is stale.
  const digest = hash('sha256', JSON.stringify([3, remote, assistantTag, facts]), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/** Time that a worker may use a configuration before it must read it again, in seconds. */
const leaseSeconds = 15 * 60;

const mapRoles = <T>(items: readonly T[]) =>
  Object.fromEntries(roles.map((role, i) => [role, items[i]])) as Record<Role, T>;

/** Key of a lease in plain text, or the reason why it is missing. */
export type OpenedLease = { credential: Credential; api_key: string } | LookupFailure;

const toReason = (failure: LookupFailure, lookup: Lease['lookup']) => ({
  type: failure,
  msg: describeLookupFailure(failure, lookup),
});

/** Returns why a header cannot carry a key, if so. */
export const findKeyFault = (value: string): { type: string; msg: string } | undefined =>
  /[^\t\x20-\x7e]/.test(value)
    ? { type: 'invalid_header', msg: 'The key of the credential has characters that no header may have' }
    : undefined;

/** Builds the headers of a request with its credential, or the reason why it cannot be sent. */
export function buildHeaders(
  headers: Record<string, string>,
  reference: CredentialReference | null,
  opened: OpenedLease | undefined,
):
  | { headers: Record<string, string>; unavailable: null }
  | { headers: null; unavailable: { type: string; msg: string } } {
  if (!Object.values(headers).every(isHeaderValue)) {
    const msg = 'A header has a value that no header may have: see the variables in it';
    return { headers: null, unavailable: { type: 'invalid_header', msg } };
  }
  if (!reference || !opened) return { headers, unavailable: null };
  if (typeof opened === 'string')
    return { headers: null, unavailable: toReason(opened, toToolLease('', reference).lookup) };
  const value = `${reference.prefix}${opened.api_key}`;
  const fault = findKeyFault(value);
  if (fault) return { headers: null, unavailable: fault };
  return { headers: { ...headers, [reference.header.toLowerCase()]: value }, unavailable: null };
}

/** Parts of a runtime configuration. */
export interface ConfigParts {
  assistant: Assistant;
  /** Version that the call gets, null for the draft. */
  version: number | null;
  leases: readonly Lease[];
  /** Key or failure of each lease, in order. */
  opened: readonly OpenedLease[];
  /** Undefined if the texts cannot be rendered. */
  rendered: RenderedTexts | undefined;
  /** Tools as they are stored, which stand in if they cannot be rendered. */
  tools: readonly Tool[];
  missing: string[];
  remote: boolean;
}

function toCallTool(tool: Tool, remote: boolean, opened: OpenedLease | undefined): CallTool {
  const { type, name, description, say } = tool;
  const base = { type, name, description, parameters: getParameters(tool), say, http: null, unavailable: null };
  const limit = tool.type === 'search' ? tool.limit : null;
  if (tool.type !== 'http' || remote) return { ...base, limit };
  const { credential, ...request } = tool.http;
  const { headers, unavailable } = buildHeaders(request.headers, credential, opened);
  return { ...base, limit, unavailable, http: headers && { ...request, headers } };
}

function toCallServer({ credential, ...server }: McpServer, opened: OpenedLease | undefined) {
  const { headers, unavailable } = buildHeaders({}, credential, opened);
  return { ...server, headers: headers ?? {}, unavailable };
}

/** Builds the runtime configuration of an assistant. */
export function buildRuntimeConfig({
  assistant,
  version,
  leases,
  opened,
  rendered,
  tools,
  missing,
  remote,
}: ConfigParts): RuntimeConfig {
  const credentials = roles.map((_, i) => {
    const one = opened[i];
    if (one === undefined || typeof one === 'string') return null;
    const { service_type, name } = one.credential;
    return { service_type, name, api_key: one.api_key };
  });
  const reasons = roles.map((_, i) => {
    const one = opened[i];
    const lease = leases[i];
    return typeof one === 'string' && lease ? toReason(one, lease.lookup) : null;
  });
  const findOpened = (role: string) => opened[leases.findIndex((lease) => lease.role === role)];
  const callTools = (rendered?.tools ?? tools).map((tool) => toCallTool(tool, remote, findOpened(`tool:${tool.name}`)));
  return {
    assistant,
    version,
    credentials: mapRoles(credentials),
    reasons: mapRoles(reasons),
    rendered: rendered
      ? { system_instruction: rendered.system_instruction, first_message: rendered.first_message, missing }
      : null,
    tools: callTools,
    functions: callTools
      .filter(({ unavailable }) => unavailable === null)
      .map(({ name, description, parameters }) => ({ type: 'function' as const, name, description, parameters })),
    mcp_servers: assistant.mcp_servers.map((server) => toCallServer(server, findOpened(`mcp:${server.name}`))),
    expires_at: getTimeIn(leaseSeconds),
  };
}

/** Builds the data of the event of a lease. It is written before the keys are decrypted. */
export const toLeaseData = (
  assistantId: string,
  leases: readonly Lease[],
  found: readonly LookupResult[],
): EventData<'credential.leased'> => ({
  assistant_id: assistantId,
  roles: found.map((one, i) => ({
    role: leases[i]?.role ?? '',
    credential_id: typeof one === 'string' ? null : one.credential.id,
    outcome: typeof one === 'string' ? one : 'leased',
  })),
});

/**
 * Builds the audit log fields of each lease: the credential, and `done` or the reason of a failure. Leaves out the key,
 * and the names of credentials and tools, which are text of the user.
 */
export const toLeaseAudit = (
  leases: readonly Lease[],
  found: readonly LookupResult[],
  opened: readonly LookupResult[],
  done: 'handed over' | 'renewed' | 'used',
) =>
  found.map((one, i) => {
    const { id, service_type } = typeof one === 'string' ? ({} as Partial<Credential>) : one.credential;
    const outcome = opened[i];
    return {
      role: leases[i]?.role.split(':', 1)[0],
      credential: id,
      service_type,
      outcome: typeof outcome === 'string' ? outcome : done,
    };
  });
