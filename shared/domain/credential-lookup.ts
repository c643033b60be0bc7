import { isServiceType } from '../schemas/credential.ts';
import type { RuntimeConfig } from '../schemas/runtime-config.ts';
import type { StoredAssistant } from './assistant.ts';
import { normalizeService } from './credential.ts';

export type Role = keyof RuntimeConfig['credentials'];

export const roles: readonly Role[] = ['voice', 'llm', 'transcriber'];

/** Reasons why a role has no key. */
export const lookupFailures = {
  no_service: 'No service with credentials has the name of this provider',
  invalid_name: '"credential" should be the name of a credential, as text',
  missing: 'You have no such credential',
  ambiguous: 'This service has several credentials, none called "default": name one of them in "credential"',
  undecryptable: 'The credential cannot be decrypted: save it again',
};
export type LookupFailure = keyof typeof lookupFailures;

/**
 * Service and name of the credential that a role needs. Without a name, the default or only credential of the service.
 */
export interface CredentialLookup {
  service: string;
  name: string | undefined;
}

/** Returns a sentence for a credential that cannot be used, with the request that saves one that is missing. */
export function describeLookupFailure(failure: LookupFailure, lookup: CredentialLookup | LookupFailure): string {
  if (failure !== 'missing' || typeof lookup === 'string') return lookupFailures[failure];
  const { service: service_type, name } = lookup;
  const body = JSON.stringify({ service_type, name, api_key: '…' });
  return `You have no credential ${name === undefined ? '' : `"${name}" `}of ${service_type}: save its key by POST /user-credentials ${body}`;
}

type Roles = Pick<StoredAssistant, Role>;

/**
 * Returns the credential that a role needs, by its provider and the `credential` in its settings, or the reason why it
 * has none.
 */
export function toCredentialLookup({ voice, llm, transcriber }: Roles, role: Role): CredentialLookup | LookupFailure {
  const provider = { voice: voice.tts_provider, llm: llm.llm_provider, transcriber: transcriber.stt_provider }[role];
  const { credential } = { voice, llm, transcriber }[role] as { credential?: unknown };
  const service = provider.trim().toLowerCase();
  return isServiceType(service) ? toNamedLookup(service, credential) : 'no_service';
}

/** Returns the lookup of a service's credential by the `credential` in some settings, or the reason why it has none. */
export function toNamedLookup(service: string, credential: unknown): CredentialLookup | LookupFailure {
  if (credential === undefined || credential === null) return { service: normalizeService(service), name: undefined };
  if (typeof credential !== 'string' || credential.trim() === '' || credential.length > 256) return 'invalid_name';
  return { service: normalizeService(service), name: credential };
}
