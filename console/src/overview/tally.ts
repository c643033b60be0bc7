import type { Session } from '../api/types.ts';
import { dayOf, getCallTime } from '../calls/days.ts';

/** Calls, and how long they were. */
export interface Count {
  calls: number;
  /** Of the calls whose length is known. */
  seconds: number;
  /** The calls whose length is known. */
  timed: number;
}

/** The calls of an assistant; of all others together where `id` is `others`. */
export interface Share extends Count {
  id: string;
}

export interface Tally {
  total: Count;
  /** All assistants, those with the most calls first. */
  assistants: Share[];
  /** The same, at most as many as a plot can tell apart. */
  shares: Share[];
  /** Oldest first. */
  days: DayTally[];
}

/** The calls that began on a day. */
export interface DayTally {
  day: string;
  byShare: Map<string, Count>;
}

export const others = 'others';

const zero = (): Count => ({ calls: 0, seconds: 0, timed: 0 });

function add(count: Count, { session_duration }: Session): void {
  count.calls += 1;
  if (session_duration === null) return;
  count.seconds += session_duration;
  count.timed += 1;
}

const dayOfCall = (session: Session) => dayOf(getCallTime(session));

/**
 * Counts the calls of these days, by day and assistant. `sessions` are newest first. Of more than `most` assistants, those
 * with the fewest calls are counted together; all of them, where those would have more than half of the calls.
 */
export function tally(sessions: readonly Session[], days: readonly string[], most: number): Tally {
  const known = new Set(days);
  const counted = sessions.filter((session) => known.has(dayOfCall(session)));
  const byAssistant = new Map<string, Share>();
  const total = zero();
  for (const session of counted) {
    const { assistant_id: id } = session;
    const share = byAssistant.get(id) ?? { id, ...zero() };
    add(share, session);
    add(total, session);
    byAssistant.set(id, share);
  }

  const ranked = [...byAssistant.values()].toSorted((one, other) => other.calls - one.calls);
  const isCrowded = ranked.length > most;
  const first = isCrowded ? ranked.slice(0, most - 1) : ranked;
  const callsOfFirst = first.reduce((sum, { calls }) => sum + calls, 0);
  const named = 2 * callsOfFirst < total.calls ? [] : first;
  const own = new Set(named.map(({ id }) => id));
  const rest: Share = { id: others, ...zero() };

  const byDay = new Map(days.map((day): [string, DayTally] => [day, { day, byShare: new Map() }]));
  for (const session of counted) {
    const id = own.has(session.assistant_id) ? session.assistant_id : others;
    if (id === others) add(rest, session);
    const ofDay = byDay.get(dayOfCall(session));
    if (!ofDay) continue;
    const count = ofDay.byShare.get(id) ?? zero();
    add(count, session);
    ofDay.byShare.set(id, count);
  }
  return {
    total,
    assistants: ranked,
    shares: isCrowded ? [...named, rest] : named,
    days: [...byDay.values()],
  };
}
