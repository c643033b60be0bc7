import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { env } from '../../env.ts';
import { Unavailable } from '../../errors.ts';
import { meter } from '../../telemetry/meter.ts';
import { toBatches } from '../batches.ts';
import { clientOptions, tryAwsCall } from './aws-call.ts';
import { createDocumentClient } from './document-client.ts';
import type { Key } from './keys.ts';
import { prime } from './prime.ts';

export type Row = Record<string, unknown>;

/** One day in seconds, the unit of DynamoDB's TTL. */
export const daySeconds = 86_400;

/**
 * Returns the current time plus an offset, in seconds since 1970. DynamoDB may delete expired rows days late, so check
 * on read.
 */
export const getUnixSeconds = (offsetSeconds: number): number => Math.floor(Date.now() / 1000) + offsetSeconds;

export const TableName = env('TABLE_NAME');

export const client = createDocumentClient(new DynamoDBClient(clientOptions));

const anyKey: Key = { pk: '-', sk: '-' };
prime(client, () => client.send(new GetCommand({ TableName, Key: anyKey, ConsistentRead: true })), {
  Item: { pk: { S: '-' } },
});

export const tableOptions = { TableName, ReturnConsumedCapacity: 'TOTAL' } as const;

export interface Capacity {
  CapacityUnits?: number | undefined;
}

export function meterCapacity(kind: 'readUnits' | 'writeUnits', capacity: Capacity | Capacity[] | undefined): void {
  for (const { CapacityUnits = 0 } of [capacity ?? []].flat()) meter[kind] += CapacityUnits;
}

/** Reads a row, strongly consistent, so that a client sees its own writes. One round trip. */
export async function get(key: Key, from = client): Promise<Row | undefined> {
  const { Item, ConsumedCapacity } = await tryAwsCall(() =>
    from.send(new GetCommand({ ...tableOptions, Key: key, ConsistentRead: true })),
  );
  meterCapacity('readUnits', ConsumedCapacity);
  return Item;
}

/** Builds the parameters that read these attributes alone, or all. Reads as many units. */
function buildProjection(fields: readonly string[] | undefined) {
  if (!fields) return {};
  const ExpressionAttributeNames = Object.fromEntries(fields.map((field, i) => [`#field${i}`, field]));
  return { ExpressionAttributeNames, ProjectionExpression: Object.keys(ExpressionAttributeNames).join(', ') };
}

/** Reads rows by key, in any order, without missing ones: all attributes, or `fields`. One concurrent round trip per 100. */
export async function getAll(keys: readonly Key[], fields?: readonly string[]): Promise<Row[]> {
  const found: Row[] = [];
  let unread = keys;
  for (let tries = 0; tries < 3 && unread.length > 0; tries++) {
    const read = await tryGetAll(unread, fields);
    found.push(...read.rows);
    unread = read.unread;
  }
  if (unread.length > 0) throw new Unavailable();
  return found;
}

/**
 * Reads rows as `getAll` does, but asks once. Also returns the keys that DynamoDB did not read, for example since it throttles their
 * partition. Throws Unavailable if it reads none of a hundred.
 */
export async function tryGetAll(
  keys: readonly Key[],
  fields?: readonly string[],
): Promise<{ rows: Row[]; unread: Key[] }> {
  const projection = buildProjection(fields);
  const getBatch = async (Keys: Record<string, unknown>[]) => {
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await tryAwsCall(() =>
      client.send(
        new BatchGetCommand({
          RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...projection } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
      ),
    );
    meterCapacity('readUnits', ConsumedCapacity);
    return { rows: Responses?.[TableName] ?? [], unread: UnprocessedKeys?.[TableName]?.Keys ?? [] };
  };
  const batches = await Promise.all(
    toBatches(
      keys.map((key) => ({ ...key })),
      100,
    ).map(getBatch),
  );
  return {
    rows: batches.flatMap(({ rows }) => rows),
    unread: batches.flatMap(({ unread }) => unread as unknown as Key[]),
  };
}

/** Maximum number of rows per page, more than most megabytes hold. DynamoDB refuses numbers beyond 2^31. */
const maxPageRows = 10_000;

export interface QueryOptions {
  /** Partition key. With an index, all rows of other partitions are left out; by default, none. */
  pk?: string;
  /** Prefix of the sort keys. */
  prefix?: string;
  /** First and last sort key, inclusive. Replaces `prefix`. */
  range?: [string, string];
  /**
   * Index to query, and the value of its partition key, the attribute with its name. Its sort key is that of the table
   * unless it names another. Eventually consistent.
   */
  index?: { name: string; value: string; sortKey?: string };
  /** Sorts ascending. By default, descending: newest first. */
  ascending?: boolean;
  /** Starts after this sort key. */
  after?: string | undefined;
  /** Maximum number of rows of the first page. It doubles with each page, up to 10,000. */
  pageSize?: number | undefined;
  /** Attributes to return. By default, all. With an index and a partition key, name `pk`, too. */
  fields?: readonly string[];
}

/**
 * Queries the rows of a partition by sort key. With an index, leaves out rows of other partitions: any function that may write some can
 * put it into an index. One round trip per page of at most a megabyte, made only when the caller reads on.
 */
export async function* query({
  pk,
  prefix = '',
  range,
  index,
  ascending = false,
  after,
  pageSize,
  fields,
}: QueryOptions): AsyncGenerator<Row> {
  const { ExpressionAttributeNames: fieldNames, ProjectionExpression } = buildProjection(fields);
  const indexKey = index && { [index.name]: index.value };
  let start: Row | undefined = after === undefined ? undefined : { pk, sk: after, ...indexKey };
  let Limit = pageSize;
  do {
    const page = await tryAwsCall(() =>
      client.send(
        new QueryCommand({
          ...tableOptions,
          IndexName: index?.name,
          KeyConditionExpression: `#pk = :pk AND ${range ? '#sk BETWEEN :from AND :to' : 'begins_with(#sk, :from)'}`,
          ExpressionAttributeNames: { '#pk': index?.name ?? 'pk', '#sk': index?.sortKey ?? 'sk', ...fieldNames },
          ExpressionAttributeValues: {
            ':pk': index?.value ?? pk,
            ':from': range?.[0] ?? prefix,
            ...(range && { ':to': range[1] }),
          },
          ScanIndexForward: ascending,
          ConsistentRead: index === undefined,
          ExclusiveStartKey: start,
          Limit,
          ProjectionExpression,
        }),
      ),
    );
    meterCapacity('readUnits', page.ConsumedCapacity);
    const rows = page.Items ?? [];
    yield* index && pk !== undefined ? rows.filter((row) => row.pk === pk) : rows;
    start = page.LastEvaluatedKey;
    Limit &&= Math.min(Limit * 2, maxPageRows);
  } while (start);
}

/** Timeout of the best-effort `last_used_at` update, in milliseconds. */
const touchTimeoutMs = 500;

/** Sets an attribute of an existing row, within a short timeout. One round trip. */
export async function touch(key: Key, attribute: string, value: string): Promise<void> {
  const { ConsumedCapacity } = await tryAwsCall(() =>
    client.send(
      new UpdateCommand({
        ...tableOptions,
        Key: key,
        UpdateExpression: 'SET #attribute = :value',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':value': value },
      }),
      { abortSignal: AbortSignal.timeout(touchTimeoutMs) },
    ),
  );
  meterCapacity('writeUnits', ConsumedCapacity);
}
