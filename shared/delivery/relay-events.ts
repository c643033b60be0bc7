import { isNewlyTold, toOutgoingEvents } from '../domain/event.ts';
import * as eventBus from '../store/event-bus.ts';
import * as journal from '../store/journal.ts';
import { findOwner } from '../store/table/keys.ts';
import type { UnsentEvent } from '../store/unsent-events.ts';
import { fanOut } from './fan-out.ts';

/** Outcome of sending events. */
interface Relayed {
  /** Events to send again. */
  left: UnsentEvent[];
  /** Fields for the log line. */
  facts: object;
}

/**
 * Sends events to the account's event bus, and to the webhooks that subscribe to them. Leaves out those that are gone or came from an
 * import. What fails for one owner does not stop those of others.
 */
export async function relayEvents(rows: readonly UnsentEvent[]): Promise<Relayed> {
  const read = await journal.tryGetMany(rows.map(({ key }) => key));
  const unread = rows.filter(({ key }) => read.isUnread(key));
  const told = rows.flatMap((row) => {
    const event = read.find(row.key);
    return event && isNewlyTold(event, row.addedAt) ? [{ row, owner: findOwner(row.key.pk) ?? '', event }] : [];
  });
  const outgoing = told
    .filter(({ row }) => !row.onBus)
    .flatMap((source) => toOutgoingEvents(source.event).map((event) => ({ source, event })));
  const [rejected, undelivered] = await Promise.all([
    eventBus.trySend(outgoing.map(({ event }) => event)),
    fanOut(told),
  ]);
  const offBus = new Set(outgoing.filter(({ event }) => rejected.includes(event)).map(({ source }) => source));
  const left = told.flatMap((source) => {
    if (offBus.has(source)) return [source.row];
    return undelivered.includes(source) ? [{ ...source.row, onBus: true }] : [];
  });
  return {
    left: [...unread, ...left],
    facts: {
      sent: outgoing.length - rejected.length,
      rejected: rejected.length,
      undelivered: undelivered.length,
      unread: unread.length,
      skipped: rows.length - told.length - unread.length,
    },
  };
}
