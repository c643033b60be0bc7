import { hash } from 'node:crypto';
import type { EventData } from '../events.ts';
import type { Assistant } from '../schemas/assistant.ts';
import type { Credential } from '../schemas/credential.ts';
import type { RuntimeConfig } from '../schemas/runtime-config.ts';
import { type LookupFailure, lookupFailures, type Role, roles } from './credential-lookup.ts';

/** Credential of a role, or the reason why it has none. */
type LookupResult = { credential: Credential } | LookupFailure;

/**
 * Returns the entity tag of a runtime configuration: a digest of the assistant's tag and of the credentials of its
 * roles. The tag is weak, since every response has a new `expires_at`.
 */
export function toConfigEtag(assistantTag: string, found: readonly LookupResult[]): string {
  const facts = found.map((one) => {
    if (typeof one === 'string') return one;
    const { id, name, masked_key, updated_at } = one.credential;
    return [id, name, masked_key, updated_at];
  });
  const digest = hash('sha256', JSON.stringify([assistantTag, facts]), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/** Time that a worker may use a configuration before it must read it again, in milliseconds. */
const leaseMs = 15 * 60_000;

const mapRoles = <T>(items: readonly T[]) =>
  Object.fromEntries(roles.map((role, i) => [role, items[i]])) as Record<Role, T>;

/** Builds the runtime configuration of an assistant. `opened` has a key or a failure for each of `roles`, in order. */
export function buildRuntimeConfig(
  assistant: Assistant,
  opened: readonly ({ credential: Credential; api_key: string } | LookupFailure)[],
): RuntimeConfig {
  const credentials = opened.map((one) => {
    if (typeof one === 'string') return null;
    const { service_type, name } = one.credential;
    return { service_type, name, api_key: one.api_key };
  });
  const failures = opened.map((one) => (typeof one === 'string' ? { type: one, msg: lookupFailures[one] } : null));
  const expires_at = new Date(Date.now() + leaseMs).toISOString();
  return { assistant, credentials: mapRoles(credentials), reasons: mapRoles(failures), expires_at };
}

/** Builds the data of the event of a lease. It is told before the keys are decrypted. */
export const toLeaseData = (assistantId: string, found: readonly LookupResult[]): EventData<'credential.leased'> => ({
  assistant_id: assistantId,
  roles: found.map((one, i) => ({
    role: roles[i] ?? '',
    credential_id: typeof one === 'string' ? null : one.credential.id,
    outcome: typeof one === 'string' ? one : 'leased',
  })),
});

/**
 * Builds the audit log fields of each role: the credential, and `done` or the reason of a failure. Leaves out the key,
 * and the name, which is text of the user.
 */
export const toLeaseAudit = (
  found: readonly LookupResult[],
  opened: readonly LookupResult[],
  done: 'handed over' | 'renewed',
) =>
  found.map((one, i) => {
    const { id, service_type } = typeof one === 'string' ? ({} as Partial<Credential>) : one.credential;
    const outcome = opened[i];
    return {
      role: roles[i],
      credential: id,
      service_type,
      outcome: typeof outcome === 'string' ? outcome : done,
    };
  });
