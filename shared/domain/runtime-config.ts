import { hash } from 'node:crypto';
import type { Assistant } from '../schemas/assistant.ts';
import type { Credential } from '../schemas/credential.ts';
import type { RuntimeConfig } from '../schemas/runtime-config.ts';
import { type Reason, type Role, reasons, roles } from './wanted-credential.ts';

/** What was found for a role: a credential, or why there is none. */
type Found = { credential: Credential } | Reason;

/**
 * The version of a configuration, of the assistant and of the credentials found for its roles, in their order.
 * Weak, since the lease ends at another time in every answer.
 */
export function versionOf(assistantTag: string, found: readonly Found[]): string {
  const facts = found.map((one) => {
    if (typeof one === 'string') return one;
    const { id, name, masked_key, updated_at } = one.credential;
    return [id, name, masked_key, updated_at];
  });
  const digest = hash('sha256', JSON.stringify([assistantTag, facts]), 'base64url');
  return `W/"${digest.slice(0, 22)}"`;
}

/** For how long a worker may use what it has read before it asks again, in milliseconds. */
const leaseMs = 15 * 60_000;

const byRole = <T>(items: readonly T[]) =>
  Object.fromEntries(roles.map((role, i) => [role, items[i]])) as Record<Role, T>;

/** The configuration of an assistant with the keys, or the reasons, of its roles in their order. */
export function configurationOf(
  assistant: Assistant,
  opened: readonly ({ credential: Credential; api_key: string } | Reason)[],
): RuntimeConfig {
  const credentials = opened.map((one) => {
    if (typeof one === 'string') return null;
    const { service_type, name } = one.credential;
    return { service_type, name, api_key: one.api_key };
  });
  const whyNot = opened.map((one) => (typeof one === 'string' ? { type: one, msg: reasons[one] } : null));
  const expires_at = new Date(Date.now() + leaseMs).toISOString();
  return { assistant, credentials: byRole(credentials), reasons: byRole(whyNot), expires_at };
}

/**
 * What the audit says of each role: which credential was asked for, and what came of it, `done` where all went well.
 * Never the key, nor the name, which is the user's own words.
 */
export const leased = (found: readonly Found[], opened: readonly Found[], done: 'handed over' | 'renewed') =>
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
