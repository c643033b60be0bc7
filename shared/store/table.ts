import { setTimeout as sleep } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DeleteCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { env } from '../env.ts';
import { Conflict, Unavailable } from '../errors.ts';
import { meter } from '../meter.ts';
import { attempt, passes, patience } from './attempt.ts';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

/** One write. `refused` names the error that a failed condition means, given what is stored instead. */
export type Write = (
  | { Put: Omit<PutCommandInput, 'TableName'> }
  | { Update: Omit<UpdateCommandInput, 'TableName'> }
  | { Delete: Omit<DeleteCommandInput, 'TableName'> }
) & { refused?: (stored: Item | undefined) => Error };

/** In seconds, as DynamoDB's TTL counts. */
export const day = 86_400;

/** Seconds since 1970, as DynamoDB's TTL counts. Expired items linger for days, so readers compare as well. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

const TableName = env('TABLE_NAME');

const client = DynamoDBDocumentClient.from(new DynamoDBClient(patience), {
  marshallOptions: { removeUndefinedValues: true },
});

const answered = { TableName, ReturnConsumedCapacity: 'TOTAL' } as const;

interface Capacity {
  CapacityUnits?: number | undefined;
}

function count(kind: 'readUnits' | 'writeUnits', capacity: Capacity | Capacity[] | undefined): void {
  for (const { CapacityUnits = 0 } of [capacity ?? []].flat()) meter[kind] += CapacityUnits;
}

/** The item at a key, strongly consistent, so that a client reads what it has just written. One round trip. */
export async function get(key: Key): Promise<Item | undefined> {
  const { Item, ConsumedCapacity } = await attempt(() =>
    client.send(new GetCommand({ ...answered, Key: key, ConsistentRead: true })),
  );
  count('readUnits', ConsumedCapacity);
  return Item;
}

/** The items at several keys, at most a hundred, in no order; absent ones are left out. One round trip. */
export async function getAll(keys: Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let asked: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
  for (let tries = 0; tries < 3 && asked.length > 0; tries++) {
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await attempt(() =>
      client.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys: asked, ConsistentRead: true } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      ),
    );
    count('readUnits', ConsumedCapacity);
    found.push(...(Responses?.[TableName] ?? []));
    asked = UnprocessedKeys?.[TableName]?.Keys ?? [];
  }
  if (asked.length > 0) throw new Unavailable();
  return found;
}

export interface Listing {
  pk: string;
  /** What the sort keys begin with … */
  prefix?: string;
  /** … or the first and the last of them. */
  range?: [string, string];
  /** An index, whose key is the attribute of its name. Its reads may lag by a moment. */
  index?: { name: string; value: string };
  /** Newest first unless set. */
  ascending?: boolean;
  /** Goes on beyond this sort key. */
  beyond?: string | undefined;
  /** Items a round trip. */
  pageSize?: number | undefined;
}

/** Items of a partition in the order of their sort keys. One round trip a megabyte, made only as far as the reader reads. */
export async function* query({
  pk,
  prefix = '',
  range,
  index,
  ascending = false,
  beyond,
  pageSize,
}: Listing): AsyncGenerator<Item> {
  const indexKey = index && { [index.name]: index.value };
  let start: Item | undefined = beyond === undefined ? undefined : { pk, sk: beyond, ...indexKey };
  do {
    const page = await attempt(() =>
      client.send(
        new QueryCommand({
          ...answered,
          IndexName: index?.name,
          KeyConditionExpression: `#pk = :pk AND ${range ? 'sk BETWEEN :from AND :to' : 'begins_with(sk, :from)'}`,
          ExpressionAttributeNames: { '#pk': index?.name ?? 'pk' },
          ExpressionAttributeValues: {
            ':pk': index?.value ?? pk,
            ':from': range?.[0] ?? prefix,
            ...(range && { ':to': range[1] }),
          },
          ScanIndexForward: ascending,
          ConsistentRead: index === undefined,
          ExclusiveStartKey: start,
          Limit: pageSize,
        }),
      ),
    );
    count('readUnits', page.ConsumedCapacity);
    yield* page.Items ?? [];
    start = page.LastEvaluatedKey;
  } while (start);
}

type Marshalled = Parameters<typeof unmarshall>[0];

const stored = (item: Marshalled | undefined) => (item ? unmarshall(item) : undefined);

/** A single write without a transaction: half the price. */
function writeOne(write: Write) {
  const options = { ...answered, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  if ('Put' in write) return client.send(new PutCommand({ ...options, ...write.Put }));
  if ('Update' in write) return client.send(new UpdateCommand({ ...options, ...write.Update }));
  return client.send(new DeleteCommand({ ...options, ...write.Delete }));
}

/** All writes or none; the SDK's token makes its repeats count once. */
function writeAll(writes: Write[]) {
  const options = { TableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const TransactItems = writes.map(({ refused: _, ...write }) => {
    const [[kind, input]] = Object.entries(write) as [[string, object]];
    return { [kind]: { ...options, ...input } };
  });
  return client.send(
    new TransactWriteCommand({ ReturnConsumedCapacity: 'TOTAL', TransactItems } as TransactWriteCommand['input']),
  );
}

/** What a failed write means, in the words of the write that was refused; undefined where it means nothing of the sort. */
function refusal(writes: Write[], error: unknown): Error | undefined {
  if (error instanceof ConditionalCheckFailedException) return writes[0]?.refused?.(stored(error.Item));
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const reasons = error.CancellationReasons ?? [];
  const refused = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
  if (refused >= 0) return writes[refused]?.refused?.(stored(reasons[refused]?.Item));
  if (reasons.some(({ Code }) => Code === 'TransactionConflict')) return new InFlight();
  if (reasons.some(({ Code }) => passes(Code))) return new Unavailable({ cause: error });
  return undefined;
}

/** Another request holds one of the items. */
class InFlight extends Conflict {
  constructor() {
    super(['service'], 'Another request is writing the same thing: try again', 1);
  }
}

const maxConflicts = 4;

/**
 * Writes all or nothing, in one round trip.
 * Throws what `refused` says, Conflict where another request holds one of the items, or Unavailable.
 */
export async function write(...writes: [Write, ...Write[]]): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await writeOnce(writes);
    } catch (error) {
      // DynamoDB refuses one of two that touch the same item at once, and the SDK does not ask again.
      if (!(error instanceof InFlight) || tries === maxConflicts) throw error;
      await sleep(25 * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

async function writeOnce(writes: [Write, ...Write[]]): Promise<void> {
  try {
    const { ConsumedCapacity } = await attempt<{ ConsumedCapacity?: Capacity | Capacity[] | undefined }>(() =>
      writes.length === 1 ? writeOne(writes[0]) : writeAll(writes),
    );
    count('writeUnits', ConsumedCapacity);
  } catch (error) {
    if (error instanceof Error && error.name === 'TransactionConflictException') throw new InFlight();
    throw refusal(writes, error) ?? error;
  }
}
