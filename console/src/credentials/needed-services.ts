import { type CredentialLookup, roles, toCredentialLookup } from '../../../shared/domain/credential-lookup.ts';
import type { Assistant, Credential } from '../api/types.ts';

/** A service that an assistant needs a key for, and whether the key is saved. */
export interface NeededService {
  service: string;
  isSaved: boolean;
}

/**
 * Returns the reason why a worker would get no credential; undefined if it would get one. docs/workers.md explains the
 * choice.
 */
export function findCredentialProblem(
  { service, name }: CredentialLookup,
  credentials: readonly Credential[],
): 'missing' | 'ambiguous' | undefined {
  const names = credentials.filter((one) => one.service_type === service).map((one) => one.name);
  if (name === undefined && names.length > 1) return names.includes('default') ? undefined : 'ambiguous';
  return names.includes(name ?? names[0] ?? '') ? undefined : 'missing';
}

/**
 * Lists the services that an assistant needs keys for, without duplicates. Providers that need no credential are left
 * out.
 */
export function listNeededServices(assistant: Assistant, credentials: readonly Credential[]): NeededService[] {
  const needed = new Map<string, boolean>();
  for (const role of roles) {
    const want = toCredentialLookup(assistant, role);
    if (typeof want === 'string') continue;
    needed.set(
      want.service,
      (needed.get(want.service) ?? true) && findCredentialProblem(want, credentials) === undefined,
    );
  }
  return [...needed].map(([service, isSaved]) => ({ service, isSaved }));
}
