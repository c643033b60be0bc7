import { getTimeIn } from '../../domain/time.ts';
import type { WaitingRow } from '../due.ts';
import * as deliveries from './deliveries.ts';
import { sendLater } from './delivery-queue.ts';
import * as webhooks from './webhooks.ts';

/**
 * Each sends the message of a row that is due, unless it was sent since, and returns its outcome. The row gets a
 * later time first, so that a message that gets lost is sent again. Two round trips.
 */

export async function remindDelivery({ owner, id, eventId, key, due }: WaitingRow): Promise<string> {
  const row = await deliveries.postpone(owner, key, due);
  if (!row) return 'settled';
  await sendLater({ kind: 'delivery', owner, webhook_id: id, event_id: eventId, attempt: Number(row.attempts) + 1 });
  return 'delivery sent';
}

export async function remindReplay({ owner, id, key, due }: WaitingRow): Promise<string> {
  const row = await deliveries.postpone(owner, key, due);
  if (!row) return 'settled';
  await sendLater({ kind: 'replay', owner, webhook_id: id, event_id: String(row.event_id) });
  return 'replay sent';
}

/** Time that a drain has until another one starts, in seconds: longer than a function runs. */
const drainSeconds = 120;

export async function remindWebhook({ owner, id, due }: WaitingRow): Promise<string> {
  const next = await webhooks.postpone(owner, id, due, getTimeIn(drainSeconds));
  if (!next) return 'settled';
  await sendLater({ kind: 'drain', owner, webhook_id: id, due: next });
  return 'drain sent';
}
