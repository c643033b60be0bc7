import { deliver } from '../shared/delivery/deliver.ts';
import { drain } from '../shared/delivery/drain.ts';
import { continueReplay } from '../shared/delivery/replay.ts';
import { type Message, tryOrSendLater } from '../shared/store/webhooks/delivery-queue.ts';
import { createQueueHandler } from '../shared/triggers/queue.ts';

/** Sends events to the receivers of webhooks: new ones, those that wait for a receiver, and those of a replay. */
export const handler = createQueueHandler('deliver', async ({ detail, deadline, requestId }) => {
  const message = detail as unknown as Message;
  if (message.kind === 'drain') return drain(message, deadline, requestId);
  if (message.kind === 'replay') return continueReplay(message);
  return tryOrSendLater(message, () => deliver(message, requestId));
});
