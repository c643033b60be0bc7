import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { OutgoingEvent } from '../domain/event.ts';
import { env } from '../env.ts';
import { toBatches } from './batches.ts';
import { clientOptions, tryAwsCall } from './table/aws-call.ts';

const EventBusName = env('EVENT_BUS_NAME');
const Source = env('EVENT_SOURCE');

const client = new EventBridgeClient(clientOptions);

/** Maximum number of events per request to EventBridge. */
const maxEntries = 10;

/** Sends up to ten events, and returns those that the bus rejected. */
async function sendBatch(events: OutgoingEvent[]): Promise<OutgoingEvent[]> {
  const Entries = events.map((event) => ({
    EventBusName,
    Source,
    DetailType: event.type,
    Detail: JSON.stringify(event),
    Time: new Date(event.created_at),
  }));
  const { Entries: results = [] } = await tryAwsCall(() => client.send(new PutEventsCommand({ Entries })));
  return events.filter((_, i) => results[i]?.ErrorCode !== undefined);
}

/**
 * Sends events to the account's event bus, and returns those that it rejected, for example while it throttles. One
 * concurrent round trip per ten events. Throws Unavailable.
 */
export async function send(events: OutgoingEvent[]): Promise<OutgoingEvent[]> {
  return (await Promise.all(toBatches(events, maxEntries).map(sendBatch))).flat();
}
