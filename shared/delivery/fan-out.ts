import { type OutgoingEvent, toOutgoingEvents } from '../domain/event.ts';
import { isUuid } from '../domain/time-id.ts';
import { isSubscribed } from '../domain/webhook.ts';
import type { JournalEvent } from '../schemas/event.ts';
import { toBatches } from '../store/batches.ts';
import * as deliveries from '../store/webhooks/deliveries.ts';
import { type Message, trySend } from '../store/webhooks/delivery-queue.ts';
import * as webhooks from '../store/webhooks/webhooks.ts';
import { toUserLabel } from '../telemetry/log-line.ts';
import { serializeError } from '../telemetry/serialize-error.ts';

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

/** Converts the event of a request for a delivery or a replay. Undefined for any other event, and for one without the ids of such a request. */
function toRequestedOrder<Source extends OwnedEvent>(source: Source): Order<Source> | undefined {
  const { owner, event } = source;
  const { event_id } = event.data;
  if (!isUuid(event.subject.id)) return undefined;
  const work = { owner, webhook_id: event.subject.id };
  if (event.type === 'webhook.test')
    return { source, delivered: event, message: { kind: 'delivery', ...work, event_id: event.id, attempt: 1 } };
  if (event.type === 'webhook.retry_requested' && typeof event_id === 'string' && isUuid(event_id))
    return { source, message: { kind: 'delivery', ...work, event_id, attempt: 1 } };
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
          enabled &&
          typeof created_at === 'string' && // a damaged row must not hold up others
          created_at <= delivered.created_at &&
          Array.isArray(events) &&
          isSubscribed(events, delivered.type),
      )
      .map(({ id: webhook_id }) => ({
        source,
        delivered,
        message: { kind: 'delivery', owner: source.owner, webhook_id, event_id: delivered.id, attempt: 1 },
      })),
  );

/**
 * Stores a delivery of each event for each webhook that subscribes to it, and sends its message. Repeating it changes
 * nothing. Returns the events to repeat: once a delivery of an owner cannot be stored, no more of theirs are begun. One round trip per
 * owner, one per delivery, 50 at a time, and one per ten.
 */
export async function fanOut<Source extends OwnedEvent>(events: Source[]): Promise<Source[]> {
  const failedOwners = new Set<string>();
  const fail = (owner: string, what: string) => (error: unknown) => {
    console.error({ event: what, user: toUserLabel(owner), error: serializeError(error) });
    failedOwners.add(owner);
  };
  const byOwner = new Map<string, webhooks.SealedWebhook[]>();
  await Promise.all(
    [...new Set(events.map(({ owner }) => owner))].map((owner) =>
      webhooks.list(owner).then((list) => byOwner.set(owner, list), fail(owner, 'webhooks not read')),
    ),
  );
  const orders = events.flatMap((source) => {
    const receivers = byOwner.get(source.owner);
    if (!receivers) return [];
    try {
      const requested = toRequestedOrder(source);
      return requested ? [requested] : toSubscribedOrders(source, receivers);
    } catch (error) {
      fail(source.owner, 'event not understood')(error); // a damaged row: those of other owners go on
      return [];
    }
  });
  const failed = new Set(events.filter(({ owner }) => failedOwners.has(owner)));
  for (const batch of toBatches(orders, concurrency)) {
    await Promise.all(
      batch.map(async ({ source, message, delivered }) => {
        if (!delivered) return;
        const { owner, webhook_id } = message;
        if (failedOwners.has(owner)) return void failed.add(source);
        await deliveries.insert(owner, webhook_id, delivered, source.event.id).catch((error: unknown) => {
          fail(owner, 'delivery not stored')(error);
          failed.add(source);
        });
      }),
    );
  }
  const stored = orders.filter(({ source }) => !failed.has(source));
  const causes = new Map(stored.map(({ source, message }) => [message, source]));
  const messages = [...causes.keys()];
  const rejected = await trySend(messages, (message) => causes.get(message)?.event.id ?? '').catch((error: unknown) => {
    console.error({ event: 'deliveries not queued', error: serializeError(error) });
    return messages;
  });
  for (const message of rejected) failed.add(causes.get(message) as Source);
  return [...failed];
}
