import { env } from '../env.ts';
import { sendMessages } from './send-messages.ts';
import { findOwner, type NewRow } from './table/keys.ts';

const queueUrl = env('POSTPONED_EVENTS_QUEUE_URL');

/**
 * Queues events that could not be sent, to send them again. Those of an owner wait for each other, and for no others. One concurrent round
 * trip per ten. Throws Unavailable, and Error if SQS rejects one.
 */
export async function postpone(rows: readonly NewRow[]): Promise<void> {
  const errors = await sendMessages(
    queueUrl,
    rows.map((row) => ({
      detail: row,
      MessageGroupId: findOwner(row.key.pk) ?? 'unknown',
      MessageDeduplicationId: row.key.sk,
    })),
  );
  const error = errors.find((error) => error !== undefined);
  if (error) throw error;
}
