import type { Session } from '../api/types.ts';
import { getCallTime, toDay } from '../calls/days.ts';

/** Number and length of calls. */
export interface Count {
  calls: number;
  /** Total length of the calls with a known length. */
  seconds: number;
  /** Number of calls with a known length. */
  timed: number;
}

/** Calls of an assistant, or of all remaining assistants if `id` is `others`. */
export interface Share extends Count {
  id: string;
}

export interface Tally {
  total: Count;
  /** All assistants, sorted by number of calls, highest first. */
  assistants: Share[];
  /** The assistants that a chart shows separately, and the rest as `others`. */
  shares: Share[];
  /** Oldest first. */
  days: DayTally[];
}

/** Calls that started on a day. */
export interface DayTally {
  day: string;
  byShare: Map<string, Count>;
}

export const others = 'others';

const createCount = (): Count => ({ calls: 0, seconds: 0, timed: 0 });

function add(count: Count, { session_duration }: Session): void {
  count.calls += 1;
  if (session_duration === null) return;
  count.seconds += session_duration;
  count.timed += 1;
}

const getCallDay = (session: Session) => toDay(getCallTime(session));

/**
 * Counts the calls of these days, by day and assistant. `sessions` must be newest first. If there are more than `maxShares`
 * assistants, those with the fewest calls are grouped as `others`; if the group would have more than half of the calls,
 * all are.
 */
export function tallyCalls(sessions: readonly Session[], days: readonly string[], maxShares: number): Tally {
  const known = new Set(days);
  const counted = sessions.filter((session) => known.has(getCallDay(session)));
  const byAssistant = new Map<string, Share>();
  const total = createCount();
  for (const session of counted) {
    const { assistant_id: id } = session;
    const share = byAssistant.get(id) ?? { id, ...createCount() };
    add(share, session);
    add(total, session);
    byAssistant.set(id, share);
  }

  const ranked = [...byAssistant.values()].toSorted((one, other) => other.calls - one.calls);
  const isCrowded = ranked.length > maxShares;
  const top = isCrowded ? ranked.slice(0, maxShares - 1) : ranked;
  const callsOfTop = top.reduce((sum, { calls }) => sum + calls, 0);
  const named = 2 * callsOfTop < total.calls ? [] : top;
  const namedIds = new Set(named.map(({ id }) => id));
  const rest: Share = { id: others, ...createCount() };

  const byDay = new Map(days.map((day): [string, DayTally] => [day, { day, byShare: new Map() }]));
  for (const session of counted) {
    const id = namedIds.has(session.assistant_id) ? session.assistant_id : others;
    if (id === others) add(rest, session);
    const dayTally = byDay.get(getCallDay(session));
    if (!dayTally) continue;
    const count = dayTally.byShare.get(id) ?? createCount();
    add(count, session);
    dayTally.byShare.set(id, count);
  }
  return {
    total,
    assistants: ranked,
    shares: isCrowded ? [...named, rest] : named,
    days: [...byDay.values()],
  };
}
