import { applyOutcome, isSuccess, type Outcome, type StoredDelivery } from '../domain/delivery.ts';
import { getTimeIn } from '../domain/time.ts';
import { shouldDisable } from '../domain/webhook.ts';
import * as deliveries from '../store/webhooks/deliveries.ts';
import { type DrainMessage, sendLater } from '../store/webhooks/delivery-queue.ts';
import * as webhooks from '../store/webhooks/webhooks.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { attemptDelivery, disable, findEvent, type Receiver } from './deliver.ts';
import { sendEvent, timeoutMs } from './send.ts';

/** Number of waiting deliveries that are sent together. */
const batchSize = 10;

/** Finds one of the oldest waiting deliveries, with its event. Fails those with an expired event. */
async function chooseProbe({ owner, webhook }: Receiver, waiting: StoredDelivery[]) {
  // Each probe takes another one, since a receiver may always refuse one event.
  const first = webhook.probes % waiting.length;
  for (const delivery of [...waiting.slice(first), ...waiting.slice(0, first)]) {
    const event = await findEvent(owner, delivery);
    if (event) return { delivery, event };
    await deliveries.fail(owner, delivery, 'event_expired');
  }
  return undefined;
}

/**
 * Sends one of the deliveries that wait to a resting receiver. A failed probe does not count as an attempt of the
 * delivery. Returns true if the receiver works.
 */
async function probe(receiver: Receiver, waiting: StoredDelivery[]): Promise<boolean> {
  const { owner, webhook } = receiver;
  await webhooks.startProbe(owner, webhook);
  const chosen = await chooseProbe(receiver, waiting);
  if (!chosen) return false;
  const { delivery, event } = chosen;
  const outcome = await sendEvent(owner, webhook, event);
  const { at, status, error } = outcome;
  const now = Date.now();
  if (isSuccess(outcome)) {
    await deliveries.storeState(owner, delivery, applyOutcome(delivery, outcome, now));
    return true;
  }
  await webhooks.storeFailure(owner, webhook.id, { at, status, error });
  if (status === 410) await disable(receiver, 'gone');
  else if (shouldDisable(webhook, now)) await disable(receiver, 'failing');
  return false;
}

/** Fails the deliveries that wait for a disabled webhook, until the time to stop. Returns true if none is left. */
async function failWaiting(owner: string, webhookId: string, stopAt: number): Promise<boolean> {
  while (Date.now() < stopAt) {
    const waiting = await deliveries.listParked(owner, webhookId, batchSize);
    if (waiting.length === 0) return true;
    await Promise.all(waiting.map((delivery) => deliveries.fail(owner, delivery, 'webhook_disabled')));
  }
  return false;
}

/**
 * Sends the deliveries that wait for a receiver, oldest events first. `finished`: none is left. `stopped`: the receiver
 * fails again, or the webhook has changed. `unfinished`: the time is over.
 */
async function sendWaiting(
  { owner, webhook: { id }, requestId }: Receiver,
  stopAt: number,
): Promise<'finished' | 'stopped' | 'unfinished'> {
  while (Date.now() < stopAt) {
    const webhook = await webhooks.find(owner, id);
    if (!webhook?.enabled || webhook.resting_since) return 'stopped';
    const waiting = await deliveries.listParked(owner, id, batchSize);
    if (waiting.length === 0) return 'finished';
    const receiver = { owner, webhook, requestId };
    // One that cannot be sent must not keep the others.
    const attempts = await Promise.allSettled(waiting.map((delivery) => attemptDelivery(receiver, delivery)));
    for (const attempt of attempts)
      if (attempt.status === 'rejected') console.error({ error: serializeError(attempt.reason) });
    const failed = attempts.filter((attempt) => attempt.status === 'rejected' || !hasSucceeded(attempt.value));
    if (failed.length === batchSize) {
      await webhooks.startRest(owner, id, Date.now());
      return 'stopped';
    }
  }
  return 'unfinished';
}

/** True if an attempt was accepted, or its event has expired. */
const hasSucceeded = (outcome: Outcome | undefined): boolean => outcome === undefined || isSuccess(outcome);

/**
 * Handles the message of a webhook with waiting deliveries: probes a resting receiver, and sends what waits for one that
 * works. Returns the fields of its log line.
 */
export async function drain(
  { owner, webhook_id, due }: DrainMessage,
  deadline: number,
  requestId: string,
): Promise<object> {
  const facts = { webhook: webhook_id };
  const stopAt = deadline - timeoutMs;
  const webhook = await webhooks.find(owner, webhook_id);
  if (webhook?.due !== due) return { ...facts, outcome: 'repeated' };
  const receiver = { owner, webhook, requestId };

  if (!webhook.enabled) {
    if (await failWaiting(owner, webhook_id, stopAt)) await webhooks.stopWaiting(owner, webhook_id, due);
    else await continueLater(receiver, due);
    return { ...facts, outcome: 'webhook_disabled' };
  }

  let current: string | undefined = due;
  const waiting = await deliveries.listParked(owner, webhook_id, batchSize);
  if (webhook.resting_since) {
    if (waiting.length === 0 && shouldDisable(webhook, Date.now())) await disable(receiver, 'failing');
    if (waiting.length === 0) {
      await webhooks.endRest(owner, webhook_id, false);
      return { ...facts, outcome: 'nothing to probe with' };
    }
    if (!(await probe(receiver, waiting))) return { ...facts, outcome: 'still failing' };
    current = await webhooks.endRest(owner, webhook_id, true);
  } else if (waiting.length === 0) {
    await webhooks.stopWaiting(owner, webhook_id, due);
    return { ...facts, outcome: 'finished' };
  }
  const outcome = await sendWaiting(receiver, stopAt);
  if (current !== undefined && outcome === 'unfinished') await continueLater(receiver, current);
  if (current !== undefined && outcome === 'finished') {
    // The index may show some late.
    const next = getTimeIn(webhooks.lookPauseSeconds);
    await webhooks.postpone(owner, webhook_id, current, next);
  }
  return { ...facts, outcome };
}

/** Goes on with another message, unless another run has planned one since. */
async function continueLater({ owner, webhook: { id } }: Receiver, due: string): Promise<void> {
  const next = await webhooks.postpone(owner, id, due, new Date().toISOString());
  if (next) await sendLater({ kind: 'drain', owner, webhook_id: id, due: next });
}
