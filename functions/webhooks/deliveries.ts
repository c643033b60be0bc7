import { toCursor } from '../../shared/domain/cursor.ts';
import { toDelivery } from '../../shared/domain/delivery.ts';
import { findOutgoingEvent } from '../../shared/domain/event.ts';
import { readPage, takeFitting } from '../../shared/domain/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { deliveries } from '../../shared/routes/webhooks.ts';
import { toEnvelope } from '../../shared/schemas/common.ts';
import * as journal from '../../shared/store/journal.ts';
import * as store from '../../shared/store/webhooks/deliveries.ts';
import * as webhooks from '../../shared/store/webhooks/webhooks.ts';

/** Lists the deliveries of a webhook, newest events first, each with what was sent. */
export const handler = endpoint(deliveries, async ({ params, query, before, user }) => {
  const id = params.webhook_id;
  const { status, limit } = query;
  const listing = store.list(user.key, id, before, status === undefined ? limit + 1 : undefined);
  const [{ items, last }] = await Promise.all([
    readPage(listing, {
      limit,
      keep: (delivery) => status === undefined || delivery.status === status,
      show: (delivery) => delivery,
    }),
    webhooks.get(user.key, id),
  ]);
  const events = await journal.getByIds(
    user.key,
    items.map(({ source_id }) => source_id),
  );
  const { items: shown, next } = takeFitting(
    items.map((one) => toDelivery(one, findOutgoingEvent(events.get(one.source_id), one.event_id))),
  );
  const end = next === undefined ? last : shown.at(-1);
  const next_cursor = end ? toCursor(user.key, `${deliveries.id} ${id}`, end.event_id) : null;
  return { body: toEnvelope('Deliveries read', { deliveries: shown, next_cursor }) };
});
