import { hash } from 'node:crypto';
import { env } from '../../env.ts';
import { Unavailable } from '../../errors.ts';
import { toMessageGroup } from '../message-group.ts';
import { type NewMessage, sendMessages } from '../send-messages.ts';

/** Work to do for a webhook. */
interface Work {
  owner: string;
  webhook_id: string;
}

/** Makes attempt number `attempt` of a delivery. */
export interface DeliveryMessage extends Work {
  kind: 'delivery';
  event_id: string;
  attempt: number;
  /** True if it failed before, for reasons of our own. */
  again?: true;
}

/** Sends what waits for a receiver, or probes it. `due` is that of the webhook's row at this message. */
export interface DrainMessage extends Work {
  kind: 'drain';
  due: string;
}

/** Continues the replay that an event has requested. */
export interface ReplayMessage extends Work {
  kind: 'replay';
  event_id: string;
}

export type Message = DeliveryMessage | DrainMessage | ReplayMessage;

type Options = Omit<NewMessage, 'detail'>;

/** Sends messages to a queue, and returns those that SQS rejected. One concurrent round trip per ten. */
async function sendAll<T extends Message>(
  queue: string,
  messages: readonly T[],
  toOptions: (message: T) => Options,
): Promise<T[]> {
  const errors = await sendMessages(
    env(queue),
    messages.map((message) => ({ detail: message, ...toOptions(message) })),
  );
  return messages.filter((_, i) => errors[i] !== undefined);
}

/**
 * Sends messages in one batch, in order for each webhook, and returns those that SQS rejected. `toCause` returns the id of
 * what a message is sent for: within five minutes, SQS ignores another message of the same content and cause. One
 * concurrent round trip per ten.
 */
export const trySend = <T extends Message>(messages: readonly T[], toCause: (message: T) => string): Promise<T[]> =>
  sendAll('DELIVERY_QUEUE_URL', messages, (message) => ({
    MessageGroupId: toMessageGroup(message.owner, message.webhook_id, Number(env('DELIVERY_LANES'))),
    MessageDeduplicationId: hash('sha256', JSON.stringify([toCause(message), message])),
  }));

/** Sends one message after a delay of up to 900 seconds. One round trip. Throws Unavailable. */
export async function sendLater(message: Message, delaySeconds = 0): Promise<void> {
  const rejected = await sendAll('RETRY_QUEUE_URL', [message], ({ owner }) => ({
    DelaySeconds: Math.ceil(delaySeconds),
    MessageGroupId: owner, // while one owner takes much of the functions' time, the queue serves the others first
  }));
  if (rejected.length > 0) throw new Unavailable();
}

/** Pause before a message is handled again after a failure of our own, in seconds. */
const retrySeconds = 5;

/**
 * Handles a message of the FIFO queue. If that fails, sends it once more by the other queue: a failed message would hold
 * up all others of its group for two minutes.
 */
export async function tryOrSendLater(message: DeliveryMessage, handle: () => Promise<object>): Promise<object> {
  try {
    return await handle();
  } catch (error) {
    if (message.again) throw error;
    await sendLater({ ...message, again: true }, retrySeconds);
    console.error({ event: message.event_id, error: error instanceof Error ? error.name : error });
    return { webhook: message.webhook_id, event: message.event_id, outcome: 'later' };
  }
}
