import { fanOut } from '../shared/delivery/fan-out.ts';
import { isNewlyTold, toOutgoingEvents } from '../shared/domain/event.ts';
import * as eventBus from '../shared/store/event-bus.ts';
import * as journal from '../shared/store/journal.ts';
import { findOwner } from '../shared/store/table/keys.ts';
import { createStreamHandler } from '../shared/triggers/stream.ts';

/** Sends each new event of the journal to the webhooks that subscribe to it, and to the account's event bus. */
export const handler = createStreamHandler('relay', async (rows) => {
  const events = await journal.getMany(rows.map(({ key }) => key));
  const told = rows.flatMap((row) => {
    const event = events.get(row.key.sk);
    if (!event || !isNewlyTold(event, row.addedAt)) return [];
    return [{ row, owner: findOwner(row.key.pk) ?? '', event, outgoing: toOutgoingEvents(event) }];
  });
  const sent = told.flatMap(({ outgoing }) => outgoing);
  const [rejected, undelivered] = await Promise.all([eventBus.send(sent), fanOut(told)]);
  const failed = told.filter(
    (one) => undelivered.includes(one) || one.outgoing.some((event) => rejected.includes(event)),
  );
  return {
    failed: failed.map(({ row }) => row),
    facts: {
      sent: sent.length - rejected.length,
      rejected: rejected.length,
      undelivered: undelivered.length,
      skipped: rows.length - told.length,
    },
  };
});
