import { parseReplay, type ReplayRange } from '../domain/delivery.ts';
import { type OutgoingEvent, toOutgoingEvents } from '../domain/event.ts';
import { takeFirst } from '../domain/page.ts';
import { isSubscribed } from '../domain/webhook.ts';
import type { JournalEvent } from '../schemas/event.ts';
import * as journal from '../store/journal.ts';
import * as deliveries from '../store/webhooks/deliveries.ts';
import { type ReplayMessage, sendLater, trySend } from '../store/webhooks/delivery-queue.ts';
import * as webhooks from '../store/webhooks/webhooks.ts';

/** Number of events that one message sends again. */
const pageSize = 100;

/** Pause between two pages, in seconds, so that a replay does not fill the queue of all users. */
const pageSeconds = 2;

/** An event to send again, and the event of the journal that it comes from. */
interface Again {
  event: OutgoingEvent;
  source: JournalEvent;
}

/** Lists the events that a webhook gets again. One round trip per 100 if only failed ones are wanted. */
async function selectEvents(
  owner: string,
  webhook: webhooks.SealedWebhook,
  sources: JournalEvent[],
  { types, onlyFailed }: ReplayRange,
): Promise<Again[]> {
  const events = sources
    .flatMap((source) => toOutgoingEvents(source).map((event) => ({ event, source })))
    .filter(({ event: { type } }) => isSubscribed(webhook.events, type) && isSubscribed(types, type));
  if (!onlyFailed) return events;
  const known = await deliveries.getMany(
    owner,
    webhook.id,
    events.map(({ event }) => event.id),
  );
  const failed = new Set(known.filter(({ status }) => status === 'failed').map(({ event_id }) => event_id));
  return events.filter(({ event }) => failed.has(event.id));
}

/**
 * Handles the message of a replay: sends up to 100 events of its range again, and goes on with another message. Returns
 * the fields of its log line.
 */
export async function continueReplay({ owner, webhook_id, event_id }: ReplayMessage): Promise<object> {
  const facts = { webhook: webhook_id, event: event_id };
  const replay = await deliveries.findReplay(owner, webhook_id, event_id);
  if (!replay) return { ...facts, outcome: 'repeated' };
  const [webhook, request] = await Promise.all([webhooks.find(owner, webhook_id), journal.find(owner, event_id)]);
  if (!webhook?.enabled || !request) {
    await deliveries.endReplay(owner, webhook_id);
    return { ...facts, outcome: 'ended' };
  }
  const range = parseReplay(request.data);
  const listing = journal.list(owner, { ...range, ascending: true, after: replay.position || undefined, pageSize });
  const sources = await takeFirst(listing, pageSize);
  const again = await selectEvents(owner, webhook, sources, range);
  await Promise.all(again.map(({ event, source }) => deliveries.restart(owner, webhook_id, event, source.id)));
  const messages = again.map(({ event }) => ({
    kind: 'delivery' as const,
    owner,
    webhook_id,
    event_id: event.id,
    attempt: 1,
  }));
  await trySend(messages, () => event_id); // `sweep` sends those that SQS rejects

  const last = sources.at(-1);
  if (last && sources.length === pageSize) {
    if (await deliveries.moveReplay(owner, webhook_id, replay, last.id))
      await sendLater({ kind: 'replay', owner, webhook_id, event_id }, pageSeconds);
  } else await deliveries.endReplay(owner, webhook_id);
  return { ...facts, outcome: 'replayed', events: again.length };
}
