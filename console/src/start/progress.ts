import type { ApiKey, Assistant, Credential, Session } from '../api/types.ts';
import { type Needed, neededBy } from '../credentials/needed.ts';
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
  /** The newest ones. */
  lastCalls: readonly Session[];
}

export interface Progress {
  /** The assistant that the steps are about: the one that has come furthest, of several the newest. */
  assistant: Assistant | undefined;
  /** The keys that it needs. */
  needed: Needed[];
  done: Record<Step, boolean>;
}

/** How far a user has come at a moment. */
export function progressOf({ assistants, credentials, keys, lastCalls }: Facts, now: Date): Progress {
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
      call: lastCalls.length > 0,
    },
  };
}
