import type { Session } from '../api/types.ts';
import { calls as text } from '../strings/calls.ts';
import { nameToShow } from '../ui/visible.ts';

/** What each assistant was called at its newest call, by its id. `sessions` are newest first. */
export function namesOf(sessions: readonly Session[]): Map<string, string> {
  const names = new Map<string, string | null>();
  for (const { assistant_id, assistant_name } of sessions) {
    names.set(assistant_id, names.get(assistant_id) ?? assistant_name);
  }
  return new Map([...names].map(([id, name]) => [id, nameToShow(name ?? '', text.unnamed(id))]));
}
