import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { OutgoingEvent } from '../domain/event.ts';
import { env } from '../env.ts';
import { serializeError } from '../telemetry/serialize-error.ts';
import { toBatches } from './batches.ts';
import { clientOptions, tryAwsCall } from './table/aws-call.ts';

const EventBusName = env('EVENT_BUS_NAME');
const Source = env('EVENT_SOURCE');

const client = new EventBridgeClient(clientOptions);

/** Maximum number of events per request to EventBridge. */
const maxEntries = 10;

/** Sends up to ten events, and returns those that were not sent. */
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
 * Sends events to the account's event bus, and returns those that were not sent, for example since the bus throttles. One
 * concurrent round trip per ten events. A failed request is logged.
 */
export async function trySend(events: OutgoingEvent[]): Promise<OutgoingEvent[]> {
  const rejected = toBatches(events, maxEntries).map((batch) =>
    sendBatch(batch).catch((error: unknown) => {
      console.error({ event: 'events not sent to the bus', error: serializeError(error) });
      return batch;
    }),
  );
  return (await Promise.all(rejected)).flat();
}
