import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, BatchWriteItemCommand, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { apiKeyKey, apiKeysOf, type Key, ownerOf } from '../../shared/store/keys.ts';
import type { Say } from '../progress.ts';
import { groups } from './in-parallel.ts';
import { formerPartition } from './kinds.ts';
import type { Place } from './place.ts';
import { attributesOf, type Row } from './row.ts';

/** What a Query gives at once: about a megabyte. */
export interface Page {
  rows: Row[];
  /** Where the next one begins; undefined of the last. */
  next: Row | undefined;
}

interface Reading {
  pk: string;
  prefix?: string;
  /** Begins beyond this key. */
  from?: Row | undefined;
  /** Reads keys, and nothing else of the rows. */
  keysOnly?: boolean;
}

/** The rows of a partition, strongly consistent. Never a Scan: nobody else's rows are touched. */
export async function* pagesOf({ dynamoDb, table }: Place, reading: Reading): AsyncGenerator<Page> {
  const { pk, prefix, from, keysOnly } = reading;
  const pages = paginateQuery(
    { client: dynamoDb, ...(from && { startingToken: from }) },
    {
      TableName: table,
      KeyConditionExpression: prefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': { S: pk }, ...(prefix !== undefined && { ':prefix': { S: prefix } }) },
      ConsistentRead: true,
      ...(keysOnly && { ProjectionExpression: 'pk, sk' }),
    },
  );
  for await (const { Items = [], LastEvaluatedKey } of pages) yield { rows: Items, next: LastEvaluatedKey };
}

/** How long to wait before what DynamoDB has left over is asked for again, in milliseconds. */
const pauseMs = 100;

/** The rows at up to a hundred different keys, strongly consistent; absent ones are left out. */
export async function rowsAt({ dynamoDb, table }: Place, keys: Key[]): Promise<Row[]> {
  const found: Row[] = [];
  let asked = keys.map(attributesOf);
  while (asked.length > 0) {
    const { Responses, UnprocessedKeys } = await dynamoDb.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: asked, ConsistentRead: true } } }),
    );
    found.push(...(Responses?.[table] ?? []));
    asked = UnprocessedKeys?.[table]?.Keys ?? [];
    if (asked.length > 0) await sleep(pauseMs);
  }
  return found;
}

/** Deletes up to 25 rows, also such as are not there. */
export async function deleteRows({ dynamoDb, table }: Place, keys: Key[]): Promise<void> {
  let asked = keys.map((key) => ({ DeleteRequest: { Key: attributesOf(key) } }));
  while (asked.length > 0) {
    const { UnprocessedItems } = await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: asked } }));
    asked = (UnprocessedItems?.[table] ?? []) as typeof asked;
    if (asked.length > 0) await sleep(pauseMs);
  }
}

/** The rows by which requests find the API keys of a user. They lie outside the user's partitions, and the list leads to them. */
export async function* apiKeyRows(place: Place, owner: string): AsyncGenerator<Row[]> {
  const { pk, prefix } = apiKeysOf(owner);
  for (const partition of [pk, formerPartition(owner)]) {
    for await (const { rows } of pagesOf(place, { pk: partition, prefix })) {
      for await (const some of groups(rows, 100))
        yield rowsAt(
          place,
          some.map(({ hash }) => apiKeyKey(hash?.S ?? '')),
        );
    }
  }
}

/** Reads the whole table, a page of rows at a time, strongly consistent: a Scan, which only an operator may do. */
export async function* scanRows({ dynamoDb, table }: Place, ProjectionExpression?: string): AsyncGenerator<Row[]> {
  const pages = paginateScan({ client: dynamoDb }, { TableName: table, ProjectionExpression, ConsistentRead: true });
  for await (const { Items = [] } of pages) yield Items;
}

/** Lists everybody who has a row, by their part of every key. Scans the table. */
export async function listOwners(place: Place, say: Say): Promise<string[]> {
  const owners = new Set<string>();
  for await (const rows of scanRows(place, 'pk')) {
    for (const { pk } of rows) {
      const owner = ownerOf(pk?.S ?? '');
      if (owner) owners.add(owner);
    }
    say(`Users  ${owners.size.toLocaleString('en')}`);
  }
  return [...owners].sort();
}
