import { fold } from '../../../shared/domain/fold.ts';
import type { Session } from '../api/types.ts';

/** Returns the calls whose caller, room, outcome or first words contain a text, in any case, with or without accents. */
export function findCalls(sessions: readonly Session[], typed: string): Session[] {
  const sought = fold(typed.trim());
  return sessions.filter(({ participant_name, room_name, end_reason, preview }) =>
    [participant_name, room_name, end_reason, preview].some((text) => text && fold(text).includes(sought)),
  );
}
