import { fold } from '../../../shared/domain/fold.ts';
import type { Session } from '../api/types.ts';

/** Characters that people put before and between the digits of a phone number. */
const separators = /[\s()+./-]/g;

/** Returns the digits of a text that is only a phone number: '+49 (30) 123' becomes '4930123'. */
function parseNumber(text: string): string | undefined {
  const digits = text.replaceAll(separators, '');
  return /^\d+$/.test(digits) ? digits : undefined;
}

/**
 * Returns the calls with a text in their caller, room, outcome or first words. Ignores case and accents. Phone numbers of
 * callers and in rooms match in any spacing.
 */
export function findCalls(sessions: readonly Session[], typed: string): Session[] {
  const sought = fold(typed.trim());
  const digits = parseNumber(sought);
  return sessions.filter(
    ({ participant_name, room_name, end_reason, preview }) =>
      [participant_name, room_name, end_reason, preview].some((text) => text && fold(text).includes(sought)) ||
      (digits && [participant_name, room_name].some((text) => text?.replaceAll(separators, '').includes(digits))),
  );
}
