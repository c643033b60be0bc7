import { relayEvents } from '../shared/delivery/relay-events.ts';
import { isEventKey } from '../shared/store/table/keys.ts';
import * as unsentEvents from '../shared/store/unsent-events.ts';
import { createStreamHandler } from '../shared/triggers/stream.ts';

/**
 * Sends each new event of the journal to the webhooks that subscribe to it, and to the account's event bus. Leaves those that fail to
 * `sweep`: the stream would hold all others behind them.
 */
export const handler = createStreamHandler('relay', async (rows) => {
  const { left, facts } = await relayEvents(rows.filter(({ key }) => isEventKey(key)));
  await unsentEvents.postpone(left);
  return facts;
});
