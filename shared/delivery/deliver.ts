import { applyOutcome, isSuccess, type Outcome, type StoredDelivery } from '../domain/delivery.ts';
import { findOutgoingEvent } from '../domain/event.ts';
import { shouldRest, toOrigin } from '../domain/webhook.ts';
import type { DisabledReason } from '../events.ts';
import * as journal from '../store/journal.ts';
import * as deliveries from '../store/webhooks/deliveries.ts';
import { type DeliveryMessage, sendLater } from '../store/webhooks/delivery-queue.ts';
import * as webhooks from '../store/webhooks/webhooks.ts';
import { sendEvent } from './send.ts';

/** A webhook that works, or may work, with its owner, and the request that acts on it. */
export interface Receiver {
  owner: string;
  webhook: webhooks.SealedWebhook;
  /** Id of the function's invocation. */
  requestId: string;
}

/** Disables a webhook and writes the event. One round trip. */
export function disable({ owner, webhook, requestId }: Receiver, reason: DisabledReason): Promise<void> {
  const cause = { owner, userId: null, actor: { kind: 'service', id: 'deliver' }, requestId } as const;
  const event = journal.buildEventWrite(cause, 'webhook.disabled', webhook.id, { origin: toOrigin(webhook), reason });
  return webhooks.disable(owner, webhook.id, reason, event);
}

/** Records what an attempt says of the receiver. A healthy receiver that accepts an event costs no write. */
async function recordHealth(receiver: Receiver, outcome: Outcome): Promise<void> {
  const { owner, webhook } = receiver;
  if (isSuccess(outcome)) {
    if (!webhook.failing_since && !webhook.resting_since) return;
    if (!(await webhooks.clearFailures(owner, webhook.id))) await webhooks.endRest(owner, webhook.id, true);
    return;
  }
  if (outcome.status === 410) return disable(receiver, 'gone');
  const { at, status, error } = outcome;
  const counted = await webhooks.countFailure(owner, webhook.id, { at, status, error });
  if (counted && shouldRest(counted)) await webhooks.startRest(owner, webhook.id, Date.now());
}

/** Finds the event of a delivery, unless it has expired. One round trip. */
export const findEvent = async (owner: string, { event_id, source_id }: StoredDelivery) =>
  findOutgoingEvent(await journal.find(owner, source_id), event_id);

/**
 * Makes an attempt of a pending delivery, stores what became of it, and plans the next one. Returns the outcome, or
 * undefined if the event has expired.
 */
export async function attemptDelivery(receiver: Receiver, delivery: StoredDelivery): Promise<Outcome | undefined> {
  const { owner, webhook } = receiver;
  const { event_id } = delivery;
  const event = await findEvent(owner, delivery);
  if (!event) {
    await deliveries.fail(owner, delivery, 'event_expired');
    return undefined;
  }
  const outcome = await sendEvent(owner, webhook, event);
  const next = applyOutcome(delivery, outcome, Date.now());
  const isStored = await deliveries.storeState(owner, delivery, next);
  await recordHealth(receiver, outcome);
  if (isStored && next.pause !== undefined && deliveries.isShort(next.pause)) {
    const attempt = next.attempts + 1;
    await sendLater({ kind: 'delivery', owner, webhook_id: webhook.id, event_id, attempt }, next.pause);
  }
  return outcome;
}

const isResting = (webhook: webhooks.SealedWebhook | undefined): webhook is webhooks.SealedWebhook =>
  webhook?.enabled === true && webhook.resting_since !== null;

/**
 * Makes the delivery wait if its receiver rests. Returns the webhook if it does not, read again after the delivery was
 * made to wait: nothing would look for one that starts to wait after the rest has ended.
 */
async function parkIfResting(
  owner: string,
  webhook: webhooks.SealedWebhook | undefined,
  delivery: StoredDelivery,
): Promise<webhooks.SealedWebhook | undefined | 'waits'> {
  if (!isResting(webhook)) return webhook;
  if (!(await deliveries.park(owner, delivery))) return 'waits';
  const current = await webhooks.find(owner, webhook.id);
  return isResting(current) ? 'waits' : current;
}

/** Handles the message of a delivery. Returns the fields of its log line. */
export async function deliver(
  { owner, webhook_id, event_id, attempt }: DeliveryMessage,
  requestId: string,
): Promise<object> {
  const [found, delivery] = await Promise.all([
    webhooks.find(owner, webhook_id),
    deliveries.find(owner, webhook_id, event_id),
  ]);
  const facts = { webhook: webhook_id, event: event_id };
  // SQS may deliver a message twice, and `sweep` may have sent another one.
  if (delivery?.status !== 'pending' || delivery.attempts + 1 !== attempt) return { ...facts, outcome: 'repeated' };
  const webhook = await parkIfResting(owner, found, delivery);
  if (webhook === 'waits') return { ...facts, outcome: 'waits' };
  if (!webhook?.enabled) {
    const reason = webhook ? 'webhook_disabled' : 'webhook_deleted';
    await deliveries.fail(owner, delivery, reason);
    return { ...facts, outcome: reason };
  }
  const outcome = await attemptDelivery({ owner, webhook, requestId }, delivery);
  return { ...facts, outcome: outcome?.error ?? outcome?.status ?? 'event_expired' };
}
