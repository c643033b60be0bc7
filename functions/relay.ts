import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { relayEvents } from '../shared/delivery/relay-events.ts';
import { postpone } from '../shared/store/postponed-events.ts';
import type { NewRow } from '../shared/store/table/keys.ts';
import { createQueueHandler, Postponed } from '../shared/triggers/queue.ts';
import { createStreamHandler } from '../shared/triggers/stream.ts';

/** Sends new events. Queues those that fail, since the stream would hold those behind them. */
const relayNew = createStreamHandler('relay', async (rows) => {
  const { failed, facts } = await relayEvents(rows);
  await postpone(failed);
  return facts;
});

/** Sends events that failed before. */
const relayPostponed = createQueueHandler('relay', async ({ detail }) => {
  const { failed, facts } = await relayEvents([detail as unknown as NewRow]);
  if (failed.length > 0) throw new Postponed(facts);
  return facts;
});

const isFromStream = ({ Records: [record] }: DynamoDBStreamEvent | SQSEvent): boolean =>
  !!record && 'dynamodb' in record;

/** Sends each new event of the journal to the webhooks that subscribe to it, and to the account's event bus. */
export const handler = (event: DynamoDBStreamEvent | SQSEvent, context: Context): Promise<unknown> =>
  isFromStream(event) ? relayNew(event as DynamoDBStreamEvent, context) : relayPostponed(event as SQSEvent, context);
