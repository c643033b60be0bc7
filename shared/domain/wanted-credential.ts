import { isServiceType } from '../schemas/credential.ts';
import type { RuntimeConfig } from '../schemas/runtime-config.ts';
import type { StoredAssistant } from './assistant.ts';
import { serviceOf } from './credential.ts';

export type Role = keyof RuntimeConfig['credentials'];

export const roles: readonly Role[] = ['voice', 'llm', 'transcriber'];

/** Why a role has no key. */
export const reasons = {
  no_service: 'No service that has credentials is called like this provider',
  invalid_name: '"credential" should be the name of a credential, as text',
  missing: 'You have no such credential of this service: save it by POST /user-credentials',
  ambiguous: 'This service has several credentials, none called "default": name one of them in "credential"',
  undecryptable: 'The credential cannot be decrypted: save it again',
};
export type Reason = keyof typeof reasons;

/** The credential that a role asks for. */
export interface Want {
  service: string;
  name: string | undefined;
}

type Roles = Pick<StoredAssistant, Role>;

/** What a role asks for: a credential of its provider, the one that its settings name in `credential`; or why it cannot. */
export function wantOf({ voice, llm, transcriber }: Roles, role: Role): Want | Reason {
  const provider = { voice: voice.tts_provider, llm: llm.llm_provider, transcriber: transcriber.stt_provider }[role];
  const { credential } = { voice, llm, transcriber }[role] as { credential?: unknown };
  const service = provider.trim().toLowerCase();
  if (!isServiceType(service)) return 'no_service';
  if (credential === undefined || credential === null) return { service: serviceOf(service), name: undefined };
  if (typeof credential !== 'string' || credential.trim() === '' || credential.length > 256) return 'invalid_name';
  return { service: serviceOf(service), name: credential };
}
