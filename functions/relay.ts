import { isNewlyTold, toBusEvents } from '../shared/domain/event.ts';
import * as eventBus from '../shared/store/event-bus.ts';
import * as journal from '../shared/store/journal.ts';
import { createStreamHandler } from '../shared/triggers/stream.ts';

/** Sends each new event of the journal to the account's event bus. */
export const handler = createStreamHandler('relay', async (rows) => {
  const events = await journal.getMany(rows.map(({ key }) => key));
  const told = rows.flatMap((row) => {
    const event = events.get(row.key.sk);
    if (!event || !isNewlyTold(event, row.addedAt)) return [];
    return toBusEvents(event).map((sent) => ({ row, event: sent }));
  });
  const rejected = await eventBus.send(told.map(({ event }) => event));
  return {
    failed: told.filter(({ event }) => rejected.includes(event)).map(({ row }) => row),
    facts: {
      sent: told.length - rejected.length,
      rejected: rejected.length,
      skipped: rows.length - new Set(told.map(({ row }) => row)).size,
    },
  };
});
