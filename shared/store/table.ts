import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { env } from '../env.ts';
import { Unavailable } from '../errors.ts';
import { meter } from '../meter.ts';
import { attempt, patience } from './attempt.ts';
import type { Key } from './keys.ts';
import { prime } from './prime.ts';

export type Item = Record<string, unknown>;

/** In seconds, as DynamoDB's TTL counts. */
export const day = 86_400;

/** Seconds since 1970, as DynamoDB's TTL counts. Expired items linger for days, so readers compare as well. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

export const TableName = env('TABLE_NAME');

export const client = DynamoDBDocumentClient.from(new DynamoDBClient(patience), {
  marshallOptions: { removeUndefinedValues: true },
});

const anyKey: Key = { pk: '-', sk: '-' };
prime(client, () => client.send(new GetCommand({ TableName, Key: anyKey, ConsistentRead: true })), {
  Item: { pk: { S: '-' } },
});

export const answered = { TableName, ReturnConsumedCapacity: 'TOTAL' } as const;

export interface Capacity {
  CapacityUnits?: number | undefined;
}

export function count(kind: 'readUnits' | 'writeUnits', capacity: Capacity | Capacity[] | undefined): void {
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

/** The items at several keys, in no order; absent ones are left out. A round trip for each hundred, all at once. */
export async function getAll(keys: readonly Key[]): Promise<Item[]> {
  const hundreds = Array.from({ length: Math.ceil(keys.length / 100) }, (_, i) => keys.slice(100 * i, 100 * (i + 1)));
  return (await Promise.all(hundreds.map(getHundred))).flat();
}

async function getHundred(keys: readonly Key[]): Promise<Item[]> {
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

/** How long a note may hold up what it is a note of, in milliseconds. */
const noteMs = 500;

/** Notes something at an item that exists, if it can be done soon. One round trip. */
export async function touch(key: Key, attribute: string, value: string): Promise<void> {
  const { ConsumedCapacity } = await attempt(() =>
    client.send(
      new UpdateCommand({
        ...answered,
        Key: key,
        UpdateExpression: 'SET #attribute = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
      { abortSignal: AbortSignal.timeout(noteMs) },
    ),
  );
  count('writeUnits', ConsumedCapacity);
}
