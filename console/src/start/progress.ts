import { roles, type Want, wantOf } from '../../../shared/domain/wanted-credential.ts';
import type { ApiKey, Assistant, Credential } from '../api/types.ts';
import { stateOf } from '../keys/key-state.ts';

/** What there is to do before an assistant takes its first call, in this order. */
export const steps = ['assistant', 'credentials', 'document', 'key', 'call'] as const;
export type Step = (typeof steps)[number];

/** What the API says of a user. */
export interface Facts {
  /** The newest ones. */
  assistants: readonly Assistant[];
  credentials: readonly Credential[];
  keys: readonly ApiKey[];
  hasCalls: boolean;
}

/** A service whose key an assistant needs, and whether it is there. */
export interface Needed {
  service: string;
  isThere: boolean;
}

export interface Progress {
  /** The assistant that the steps are about: the one that has come furthest, of several the newest. */
  assistant: Assistant | undefined;
  /** The keys that it needs. */
  needed: Needed[];
  done: Record<Step, boolean>;
}

/** Whether a worker would be given a credential for this: docs/workers.md tells which. */
function isGiven({ service, name }: Want, credentials: readonly Credential[]): boolean {
  const names = credentials.filter((one) => one.service_type === service).map((one) => one.name);
  if (name !== undefined) return names.includes(name);
  return names.length === 1 || names.includes('default');
}

/** The services whose keys an assistant needs, each once. A provider that can have no credential needs none. */
export function neededBy(assistant: Assistant, credentials: readonly Credential[]): Needed[] {
  const needed = new Map<string, boolean>();
  for (const role of roles) {
    const want = wantOf(assistant, role);
    if (typeof want === 'string') continue;
    needed.set(want.service, (needed.get(want.service) ?? true) && isGiven(want, credentials));
  }
  return [...needed].map(([service, isThere]) => ({ service, isThere }));
}

/** How far a user has come at a moment. */
export function progressOf({ assistants, credentials, keys, hasCalls }: Facts, now: Date): Progress {
  const candidates = assistants.map((assistant) => {
    const needed = neededBy(assistant, credentials);
    const hasKeys = needed.every(({ isThere }) => isThere);
    return { assistant, needed, hasKeys, hasDocument: assistant.attached_knowledge_bases.length > 0 };
  });
  const count = ({ hasKeys, hasDocument }: (typeof candidates)[number]) => Number(hasKeys) + Number(hasDocument);
  const [furthest] = candidates.toSorted((one, other) => count(other) - count(one));
  return {
    assistant: furthest?.assistant,
    needed: furthest?.needed ?? [],
    done: {
      assistant: furthest !== undefined,
      credentials: furthest?.hasKeys ?? false,
      document: furthest?.hasDocument ?? false,
      key: keys.some((key) => key.scopes.includes('runtime') && stateOf(key, now) !== 'expired'),
      call: hasCalls,
    },
  };
}
