import type { NextState, StoredDelivery } from '../../domain/delivery.ts';
import { formatDue } from '../../domain/due.ts';
import type { OutgoingEvent } from '../../domain/event.ts';
import { getTimeIn } from '../../domain/time.ts';
import { Conflict, NotFound } from '../../errors.ts';
import { clearDue, listWaiting, toDue } from '../due.ts';
import { getOnceClient } from '../table/get-once.ts';
import { type Key, toDeliveriesPrefix, toDeliveryKey, toReplayKey } from '../table/keys.ts';
import { daySeconds, get, getAll, getUnixSeconds, query, type Row } from '../table/table.ts';
import { updateRow, type Write, write, writeIf } from '../table/writes.ts';

/** Days that a delivery is kept. */
const deliveryDays = 30;

/** Time after which `sweep` sends the message of a pending delivery again, in seconds. */
const netSeconds = 600;

const fromRow = ({ pk: _, sk: __, expires_at: ___, ...rest }: Row): StoredDelivery => rest as unknown as StoredDelivery;

/** Converts a delivery that has not been tried to its row. */
function buildRow(owner: string, webhookId: string, { id, type }: OutgoingEvent, sourceId: string): Row {
  const delivery: StoredDelivery = {
    webhook_id: webhookId,
    event_id: id,
    source_id: sourceId,
    type,
    status: 'pending',
    reason: null,
    attempts: 0,
    history: [],
    delivered_at: null,
    next_attempt_at: new Date().toISOString(),
    created_at: new Date().toISOString(),
  };
  return {
    ...toDeliveryKey(owner, webhookId, id),
    ...delivery,
    ...toDue(owner, getTimeIn(netSeconds), 'deliveries'),
    expires_at: getUnixSeconds(deliveryDays * daySeconds),
  };
}

/**
 * Stores a new delivery of an event, unless there is one. `sourceId` is its event of the journal. One round trip, which is not repeated: the
 * events of others wait for it. Throws Unavailable if DynamoDB fails, throttles or takes half a second.
 */
export async function insert(owner: string, webhookId: string, event: OutgoingEvent, sourceId: string): Promise<void> {
  const Item = buildRow(owner, webhookId, event, sourceId);
  await writeIf({ Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' }, client: getOnceClient() });
}

/** Stores a new delivery of an event, in place of a former one of any state. One round trip. */
export const restart = (owner: string, webhookId: string, event: OutgoingEvent, sourceId: string): Promise<void> =>
  write({ Put: { Item: buildRow(owner, webhookId, event, sourceId) } });

/** Finds a delivery. One round trip. */
export async function find(owner: string, webhookId: string, eventId: string): Promise<StoredDelivery | undefined> {
  const row = await get(toDeliveryKey(owner, webhookId, eventId));
  return row && fromRow(row);
}

/** Returns deliveries by the ids of their events. One concurrent round trip per 100. */
export const getMany = async (owner: string, webhookId: string, eventIds: string[]): Promise<StoredDelivery[]> =>
  (await getAll(eventIds.map((id) => toDeliveryKey(owner, webhookId, id)))).map(fromRow);

/** Lists the deliveries of a webhook, newest events first, starting after an event's id. One round trip per megabyte. */
export async function* list(
  owner: string,
  webhookId: string,
  before: string | undefined,
  pageSize: number | undefined,
): AsyncGenerator<StoredDelivery> {
  const { pk, prefix } = toDeliveriesPrefix(owner, webhookId);
  const after = before === undefined ? undefined : prefix + before;
  for await (const row of query({ pk, prefix, after, pageSize }))
    if (Number(row.expires_at) > getUnixSeconds(0)) yield fromRow(row);
}

/** Condition that nothing has changed a pending delivery since it was read. */
const isUnchanged = {
  condition: '#status = :pending AND attempts = :seen',
  names: { '#status': 'status' },
  toValues: ({ attempts }: StoredDelivery) => ({ ':pending': 'pending', ':seen': attempts }),
};

/** Makes a delivery wait for its receiver to recover. False if it has changed since it was read. One round trip. */
export async function park(owner: string, delivery: StoredDelivery): Promise<boolean> {
  const row = await updateRow({
    Key: toDeliveryKey(owner, delivery.webhook_id, delivery.event_id),
    UpdateExpression: 'SET #byDue = :webhook, due = :due',
    ConditionExpression: isUnchanged.condition,
    ExpressionAttributeNames: { ...isUnchanged.names, ...clearDue.names },
    ExpressionAttributeValues: {
      ...isUnchanged.toValues(delivery),
      ':webhook': delivery.webhook_id,
      ':due': delivery.event_id, // sorts by the time of the event
    },
  });
  return row !== undefined;
}

/**
 * Lists up to `limit` deliveries that wait for the receiver of a webhook, oldest events first. The index may show some
 * late, and others for too long. One round trip per page of the index, and one per `limit` deliveries.
 */
export async function listParked(owner: string, webhookId: string, limit: number): Promise<StoredDelivery[]> {
  const parked: StoredDelivery[] = [];
  let page: string[] = [];
  const addPage = async () => {
    const found = (await getMany(owner, webhookId, page)).filter(
      (delivery) => delivery.status === 'pending' && delivery['by-due'] === webhookId,
    );
    parked.push(...found.sort((one, other) => (one.event_id < other.event_id ? -1 : 1)));
    page = [];
  };
  for await (const row of listWaiting(webhookId, { pageSize: limit })) {
    if (row?.kind !== 'DELIVERY' || row.owner !== owner || row.id !== webhookId) continue; // no delivery of this webhook
    if (page.push(row.eventId) === limit) await addPage();
    if (parked.length > 0) break;
  }
  if (page.length > 0 && parked.length === 0) await addPage();
  return parked.slice(0, limit);
}

/** Stores the state after an attempt. False if the delivery has changed since it was read. One round trip. */
export async function storeState(owner: string, delivery: StoredDelivery, next: NextState): Promise<boolean> {
  const { pause, ...state } = next;
  const next_attempt_at = pause === undefined ? null : getTimeIn(pause);
  const set = Object.entries({ ...state, next_attempt_at });
  // The message of a short pause comes first; the time in the row is for one that gets lost.
  const wait =
    pause === undefined ? undefined : toDue(owner, getTimeIn(isShort(pause) ? pause + 120 : pause), 'deliveries');
  const row = await updateRow({
    Key: toDeliveryKey(owner, delivery.webhook_id, delivery.event_id),
    UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${wait ? ', #byDue = :partition, due = :due' : ` ${clearDue.clause}`}`,
    ConditionExpression: isUnchanged.condition,
    ExpressionAttributeNames: {
      ...Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
      ...clearDue.names,
    },
    ExpressionAttributeValues: {
      ...isUnchanged.toValues(delivery),
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      ...(wait && { ':partition': wait['by-due'], ':due': wait.due }),
    },
  });
  return row !== undefined;
}

/** Maximum delay of a message, in seconds. Longer pauses end by the time in the row. */
const maxDelaySeconds = 600;

/** True if a message can wait for a pause. */
export const isShort = (pause: number): boolean => pause <= maxDelaySeconds;

const deliveryNotFound = () => new NotFound(['path', 'event_id'], 'This webhook has no delivery of this event');

/**
 * Makes a delivery of any state pending again, in one transaction with the extra writes. One round trip.
 * Throws NotFound.
 */
export async function requestRetry(
  owner: string,
  webhookId: string,
  eventId: string,
  extraWrites: Write[],
): Promise<void> {
  const { 'by-due': partition, due } = toDue(owner, getTimeIn(netSeconds), 'deliveries');
  const update: Write = {
    Update: {
      Key: toDeliveryKey(owner, webhookId, eventId),
      UpdateExpression:
        'SET #status = :pending, attempts = :zero, reason = :null, next_attempt_at = :now, delivered_at = :null, #byDue = :partition, due = :due, expires_at = :expiry',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#status': 'status', ...clearDue.names },
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':zero': 0,
        ':null': null,
        ':partition': partition,
        ':due': due,
        ':expiry': getUnixSeconds(deliveryDays * daySeconds),
        ':now': new Date().toISOString(),
      },
    },
    toError: deliveryNotFound,
  };
  await write(update, ...extraWrites);
}

/** Moves the time of the net of a delivery or replay, unless another run has. Returns the row. One round trip. */
export const postpone = (owner: string, key: Key, due: string): Promise<Row | undefined> =>
  updateRow({
    Key: key,
    UpdateExpression: 'SET due = :next',
    ConditionExpression: 'due = :due',
    ExpressionAttributeValues: { ':due': due, ':next': formatDue(owner, getTimeIn(netSeconds)) },
  });

/** Ends a pending delivery without an attempt. False if it has changed since it was read. One round trip. */
export const fail = (owner: string, delivery: StoredDelivery, reason: string): Promise<boolean> => {
  const { attempts, history, delivered_at } = delivery;
  return storeState(owner, delivery, { status: 'failed', reason, attempts, history, delivered_at });
};

/** A replay in progress. A webhook has at most one. */
export interface StoredReplay {
  /** Event that requested it. */
  event_id: string;
  /** Last event of the journal that it has sent, empty at its start. */
  position: string;
}

/**
 * Starts the replay that an event requests, in one transaction with the extra writes. Its row is deleted when it ends.
 * One round trip. Throws Conflict if another one is in progress.
 */
export async function requestReplay(
  owner: string,
  webhookId: string,
  eventId: string,
  extraWrites: Write[],
): Promise<void> {
  const replay: StoredReplay = { event_id: eventId, position: '' };
  const Item = { ...toReplayKey(owner, webhookId), ...replay, ...toDue(owner, getTimeIn(netSeconds), 'deliveries') };
  await write(
    {
      Put: { Item, ConditionExpression: 'attribute_not_exists(pk)' },
      toError: () =>
        new Conflict(['path', 'webhook_id'], 'A replay of this webhook is in progress: wait for its end', 60),
    },
    ...extraWrites,
  );
}

/** Finds the replay of a webhook that an event requested, unless it has ended. One round trip. */
export async function findReplay(owner: string, webhookId: string, eventId: string): Promise<StoredReplay | undefined> {
  const row = await get(toReplayKey(owner, webhookId));
  return row?.event_id === eventId ? (row as unknown as StoredReplay) : undefined;
}

/** Moves the position of a replay. False if another run has moved it since it was read. One round trip. */
export async function moveReplay(
  owner: string,
  webhookId: string,
  { event_id, position }: StoredReplay,
  next: string,
): Promise<boolean> {
  const row = await updateRow({
    Key: toReplayKey(owner, webhookId),
    UpdateExpression: 'SET #position = :next, due = :due',
    ConditionExpression: 'event_id = :event AND #position = :position',
    ExpressionAttributeNames: { '#position': 'position' },
    ExpressionAttributeValues: {
      ':next': next,
      ':due': formatDue(owner, getTimeIn(netSeconds)),
      ':event': event_id,
      ':position': position,
    },
  });
  return row !== undefined;
}

/** Ends a replay. One round trip. */
export const endReplay = (owner: string, webhookId: string): Promise<void> =>
  write({ Delete: { Key: toReplayKey(owner, webhookId) } });
