import type { WaitingRow } from '../store/due.ts';
import * as unsentEvents from '../store/unsent-events.ts';
import { relayEvents } from './relay-events.ts';

/** Number of events of an owner that may fail in one run: as a rule, the others would, too. */
const maxFailures = 10;

/** Time after which an event is late, in milliseconds. */
const lateMs = 15 * 60_000;

/**
 * Creates a function that sends an event again which could not be sent, and returns its outcome. Of an owner whose events fail, it leaves
 * most to the next run, so that they take little of this one's time. Six round trips or more.
 */
export function createResender(): (row: WaitingRow) => Promise<string> {
  const failures = new Map<string, number>();
  return async ({ owner, id }) => {
    const count = failures.get(owner) ?? 0;
    if (count === maxFailures) return 'event waits';
    const unsent = await unsentEvents.find(owner, id);
    if (!unsent) return 'settled';
    const [left] = (await relayEvents([unsent])).left;
    if (!left) {
      await unsentEvents.remove(owner, id);
      return 'event sent';
    }
    failures.set(owner, count + 1);
    await unsentEvents.postpone([left]); // behind the others of its owner
    return Date.now() - unsent.addedAt > lateMs ? lateEvent : 'event unsent';
  };
}

/** Outcome of an event that could not be sent for a quarter of an hour. */
export const lateEvent = 'event late';
