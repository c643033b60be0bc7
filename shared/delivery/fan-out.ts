import { type OutgoingEvent, toOutgoingEvents } from '../domain/event.ts';
import { isSubscribed } from '../domain/webhook.ts';
import type { JournalEvent } from '../schemas/event.ts';
import { toBatches } from '../store/batches.ts';
import * as deliveries from '../store/webhooks/deliveries.ts';
import { type Message, trySend } from '../store/webhooks/delivery-queue.ts';
import * as webhooks from '../store/webhooks/webhooks.ts';

/** An event of a user's journal. */
export interface OwnedEvent {
  owner: string;
  event: JournalEvent;
}

/** A message, and the delivery to store before it is sent, if it starts one. */
interface Order<Source> {
  source: Source;
  message: Message;
  delivered?: OutgoingEvent;
}

/** Number of deliveries that are stored concurrently: that of an SDK client's connections. */
const concurrency = 50;

/** Converts the event of a request for a delivery or a replay. Undefined for any other event. */
function toRequestedOrder<Source extends OwnedEvent>(source: Source): Order<Source> | undefined {
  const { owner, event } = source;
  const work = { owner, webhook_id: event.subject.id };
  if (event.type === 'webhook.test')
    return { source, delivered: event, message: { kind: 'delivery', ...work, event_id: event.id, attempt: 1 } };
  if (event.type === 'webhook.retry_requested')
    return { source, message: { kind: 'delivery', ...work, event_id: String(event.data.event_id), attempt: 1 } };
  if (event.type === 'webhook.replay_requested')
    return { source, message: { kind: 'replay', ...work, event_id: event.id } };
  return undefined;
}

/** Lists the deliveries of an event to the webhooks that were subscribed when it was written. */
const toSubscribedOrders = <Source extends OwnedEvent>(
  source: Source,
  receivers: webhooks.SealedWebhook[],
): Order<Source>[] =>
  toOutgoingEvents(source.event).flatMap((delivered) =>
    receivers
      .filter(
        ({ enabled, events, created_at }) =>
          enabled && created_at <= delivered.created_at && isSubscribed(events, delivered.type),
      )
      .map(({ id: webhook_id }) => ({
        source,
        delivered,
        message: { kind: 'delivery', owner: source.owner, webhook_id, event_id: delivered.id, attempt: 1 },
      })),
  );

/**
 * Stores a delivery of each event for each webhook that subscribes to it, and sends its message. Repeating it changes
 * nothing. Returns the events to repeat. One round trip per owner, one per delivery, 50 at a time, and one per ten.
 */
export async function fanOut<Source extends OwnedEvent>(events: Source[]): Promise<Source[]> {
  const owners = [...new Set(events.map(({ owner }) => owner))];
  const lists = await Promise.all(owners.map(async (owner) => [owner, await webhooks.list(owner)] as const));
  const byOwner = new Map(lists);
  const orders = events.flatMap((source) => {
    const requested = toRequestedOrder(source);
    return requested ? [requested] : toSubscribedOrders(source, byOwner.get(source.owner) ?? []);
  });
  const failed = new Set<Source>();
  for (const batch of toBatches(orders, concurrency)) {
    await Promise.all(
      batch.map(async ({ source, message, delivered }) => {
        if (!delivered) return;
        const { owner, webhook_id } = message;
        await deliveries.insert(owner, webhook_id, delivered, source.event.id).catch((error: Error) => {
          console.error({ event: 'not stored', id: delivered.id, error: error.name });
          failed.add(source);
        });
      }),
    );
  }
  const stored = orders.filter(({ source }) => !failed.has(source));
  const causes = new Map(stored.map(({ source, message }) => [message, source]));
  const rejected = await trySend([...causes.keys()], (message) => causes.get(message)?.event.id ?? '');
  for (const message of rejected) failed.add(causes.get(message) as Source);
  return [...failed];
}
