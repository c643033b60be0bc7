import { roles, type Want, wantOf } from '../../../shared/domain/wanted-credential.ts';
import type { Assistant, Credential } from '../api/types.ts';

/** A service whose key an assistant needs, and whether it is there. */
export interface Needed {
  service: string;
  isThere: boolean;
}

/** Why a worker would be given no credential for this, undefined where it would: docs/workers.md tells which it gets. */
export function lackOf(
  { service, name }: Want,
  credentials: readonly Credential[],
): 'missing' | 'ambiguous' | undefined {
  const names = credentials.filter((one) => one.service_type === service).map((one) => one.name);
  if (name === undefined && names.length > 1) return names.includes('default') ? undefined : 'ambiguous';
  return names.includes(name ?? names[0] ?? '') ? undefined : 'missing';
}

/** The services whose keys an assistant needs, each once. A provider that can have no credential needs none. */
export function neededBy(assistant: Assistant, credentials: readonly Credential[]): Needed[] {
  const needed = new Map<string, boolean>();
  for (const role of roles) {
    const want = wantOf(assistant, role);
    if (typeof want === 'string') continue;
    needed.set(want.service, (needed.get(want.service) ?? true) && lackOf(want, credentials) === undefined);
  }
  return [...needed].map(([service, isThere]) => ({ service, isThere }));
}
