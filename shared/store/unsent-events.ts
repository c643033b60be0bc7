import { getTimeIn } from '../domain/time.ts';
import { toDue } from './due.ts';
import { eventDays } from './journal.ts';
import { findOwner, type NewRow, toEventKey, toUnsentEventKey } from './table/keys.ts';
import { daySeconds, get, getUnixSeconds } from './table/table.ts';
import { write } from './table/writes.ts';

/** Row of an event to send. */
export interface UnsentEvent extends NewRow {
  /** True if the event bus has it, so that only webhooks wait for it. */
  onBus?: boolean;
}

/**
 * Stores that events could not be sent, so that `sweep` sends them again. In a partition that no request of a user reads: theirs may be
 * what DynamoDB throttles. One concurrent round trip per event.
 */
export async function postpone(events: readonly UnsentEvent[]): Promise<void> {
  await Promise.all(
    events.map(({ key, addedAt, onBus }) => {
      const owner = findOwner(key.pk) ?? '';
      const id = key.sk.slice(toEventKey(owner, '').sk.length);
      const Item = {
        ...toUnsentEventKey(owner, id),
        added_at: addedAt,
        on_bus: onBus,
        ...toDue(owner, getTimeIn(0)),
        expires_at: getUnixSeconds(eventDays * daySeconds), // then the event is gone, too
      };
      return write({ Put: { Item } });
    }),
  );
}

/** Finds an event that could not be sent. One round trip. */
export async function find(owner: string, id: string): Promise<UnsentEvent | undefined> {
  const row = await get(toUnsentEventKey(owner, id));
  return row && { key: toEventKey(owner, id), addedAt: Number(row.added_at), onBus: row.on_bus === true };
}

/** Deletes the row of an event that was sent. One round trip. */
export const remove = (owner: string, id: string): Promise<void> =>
  write({ Delete: { Key: toUnsentEventKey(owner, id) } });
