import { isNewlyTold, toOutgoingEvents } from '../domain/event.ts';
import * as eventBus from '../store/event-bus.ts';
import * as journal from '../store/journal.ts';
import { findOwner, type NewRow } from '../store/table/keys.ts';
import { fanOut } from './fan-out.ts';

/** Outcome of sending events: the rows of those to send again, and fields for the log line. */
interface Relayed {
  failed: NewRow[];
  facts: object;
}

/**
 * Sends events to the webhooks that subscribe to them, then to the account's event bus. Leaves out those that are gone or came from an
 * import. What fails for one owner does not stop those of others.
 */
export async function relayEvents(rows: readonly NewRow[]): Promise<Relayed> {
  const { events, unread } = await journal.getReadable(rows.map(({ key }) => key));
  const told = rows.flatMap((row) => {
    const event = events.get(row.key.sk);
    return event && isNewlyTold(event, row.addedAt) ? [{ row, owner: findOwner(row.key.pk) ?? '', event }] : [];
  });
  const undelivered = new Set(await fanOut(told));
  const delivered = told.filter((one) => !undelivered.has(one));
  const outgoing = delivered.flatMap(({ row, event }) => toOutgoingEvents(event).map((sent) => ({ row, sent })));
  const rejected = new Set(await eventBus.trySend(outgoing.map(({ sent }) => sent)));
  const failed = new Set([
    ...rows.filter(({ key }) => unread.has(key.sk)),
    ...[...undelivered].map(({ row }) => row),
    ...outgoing.filter(({ sent }) => rejected.has(sent)).map(({ row }) => row),
  ]);
  return {
    failed: [...failed],
    facts: {
      sent: outgoing.length - rejected.size,
      rejected: rejected.size,
      undelivered: undelivered.size,
      unread: unread.size,
      skipped: rows.length - told.length - unread.size,
    },
  };
}
