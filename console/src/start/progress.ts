import type { ApiKey, Assistant, Credential, Session } from '../api/types.ts';
import { listNeededServices, type NeededService } from '../credentials/needed-services.ts';
import { getKeyState } from '../keys/key-state.ts';

/** Steps before an assistant takes its first call, in order. */
export const steps = ['assistant', 'credentials', 'document', 'key', 'call'] as const;
export type Step = (typeof steps)[number];

/** Data from the API that the steps depend on. */
export interface UserData {
  /** Only the newest. */
  assistants: readonly Assistant[];
  credentials: readonly Credential[];
  /** Null if the user may not see them. */
  keys: readonly ApiKey[] | null;
  /** Only the newest. */
  lastCalls: readonly Session[];
}

export interface Progress {
  /** Assistant that the steps are about: the one with the most progress, or the newest of several. */
  assistant: Assistant | undefined;
  /** Services that it needs keys for. */
  needed: NeededService[];
  done: Record<Step, boolean>;
}

/** Returns the progress of a user at a time. */
export function getProgress({ assistants, credentials, keys, lastCalls }: UserData, now: Date): Progress {
  const candidates = assistants.map((assistant) => {
    const needed = listNeededServices(assistant, credentials);
    const hasKeys = needed.every(({ isSaved }) => isSaved);
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
      key: keys === null || keys.some((key) => key.scopes.includes('runtime') && getKeyState(key, now) !== 'expired'),
      call: lastCalls.length > 0,
    },
  };
}
