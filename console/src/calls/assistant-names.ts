import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { toVisibleName } from '../ui/text/visible-text.ts';

/** Returns the names of assistants by id, each as of its newest call. `sessions` must be newest first. */
export function getAssistantNames(sessions: readonly Session[]): Map<string, string> {
  const names = new Map<string, string | null>();
  for (const { assistant_id, assistant_name } of sessions) {
    names.set(assistant_id, names.get(assistant_id) ?? assistant_name);
  }
  return new Map([...names].map(([id, name]) => [id, toVisibleName(name ?? '', text.unnamed(id))]));
}
