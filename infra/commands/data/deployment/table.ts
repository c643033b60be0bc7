import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, BatchWriteItemCommand, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import { findOwner, type Key, toApiKeyKey, toApiKeyListPrefix } from '../../../../shared/store/table/keys.ts';
import type { ShowProgress } from '../../../terminal/progress.ts';
import { toBatches } from '../in-parallel.ts';
import type { Deployment } from './deployment.ts';
import { toFormerPartition } from './kinds.ts';
import { type Row, toAttributes } from './row.ts';

/** Page of a Query, up to a megabyte. */
export interface Page {
  rows: Row[];
  /** Key to start the next page from; undefined on the last one. */
  next: Row | undefined;
}

interface PartitionQuery {
  pk: string;
  prefix?: string;
  /** Starts after this key. */
  from?: Row | undefined;
  /** True to read only the keys of the rows. */
  keysOnly?: boolean;
}

/** Reads a partition page by page, strongly consistent. It never scans, so it touches nobody else's rows. */
export async function* queryPages(
  { dynamoDb, table, maxPageRows }: Deployment,
  query: PartitionQuery,
): AsyncGenerator<Page> {
  const { pk, prefix, from, keysOnly } = query;
  const pages = paginateQuery(
    { client: dynamoDb, ...(from && { startingToken: from }) },
    {
      TableName: table,
      KeyConditionExpression: prefix === undefined ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': { S: pk }, ...(prefix !== undefined && { ':prefix': { S: prefix } }) },
      ConsistentRead: true,
      Limit: maxPageRows,
      ...(keysOnly && { ProjectionExpression: 'pk, sk' }),
    },
  );
  for await (const { Items = [], LastEvaluatedKey } of pages) yield { rows: Items, next: LastEvaluatedKey };
}

/** Delay before a retry of the items that DynamoDB left unprocessed, in milliseconds. */
const retryDelayMs = 100;

/** Returns the rows at up to 100 distinct keys, strongly consistent. Skips missing ones. */
export async function getRows({ dynamoDb, table }: Deployment, keys: Key[]): Promise<Row[]> {
  const found: Row[] = [];
  let pending = keys.map(toAttributes);
  while (pending.length > 0) {
    const { Responses, UnprocessedKeys } = await dynamoDb.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: pending, ConsistentRead: true } } }),
    );
    found.push(...(Responses?.[table] ?? []));
    pending = UnprocessedKeys?.[table]?.Keys ?? [];
    if (pending.length > 0) await sleep(retryDelayMs);
  }
  return found;
}

/** Deletes up to 25 rows. Ignores missing ones. */
export async function deleteRows({ dynamoDb, table }: Deployment, keys: Key[]): Promise<void> {
  let pending = keys.map((key) => ({ DeleteRequest: { Key: toAttributes(key) } }));
  while (pending.length > 0) {
    const { UnprocessedItems } = await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: pending } }));
    pending = (UnprocessedItems?.[table] ?? []) as typeof pending;
    if (pending.length > 0) await sleep(retryDelayMs);
  }
}

/**
 * Reads the rows that requests use to look up a user's API keys. They are outside the user's partitions, and the user's
 * list of keys leads to them.
 */
export async function* readApiKeyRows(deployment: Deployment, owner: string): AsyncGenerator<Row[]> {
  const { pk, prefix } = toApiKeyListPrefix(owner);
  for (const partition of [pk, toFormerPartition(owner)]) {
    for await (const { rows } of queryPages(deployment, { pk: partition, prefix })) {
      for await (const batch of toBatches(rows, 100))
        yield getRows(
          deployment,
          batch.map(({ hash }) => toApiKeyKey(hash?.S ?? '')),
        );
    }
  }
}

/** Scans the whole table page by page, strongly consistent. Only an operator may scan. */
export async function* scanRows(
  { dynamoDb, table, maxPageRows }: Deployment,
  ProjectionExpression?: string,
): AsyncGenerator<Row[]> {
  const pages = paginateScan(
    { client: dynamoDb },
    { TableName: table, ProjectionExpression, ConsistentRead: true, Limit: maxPageRows },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/** Lists the owners of all rows. Scans the table. */
export async function listOwners(deployment: Deployment, showProgress: ShowProgress): Promise<string[]> {
  const owners = new Set<string>();
  for await (const rows of scanRows(deployment, 'pk')) {
    for (const { pk } of rows) {
      const owner = findOwner(pk?.S ?? '');
      if (owner) owners.add(owner);
    }
    showProgress(`Users  ${owners.size.toLocaleString('en')}`);
  }
  return [...owners].sort();
}
