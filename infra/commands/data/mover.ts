import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { buildCountUpdate } from '../../../shared/store/sessions/count.ts';
import type { ShowProgress } from '../../terminal/progress.ts';
import type { Deployment } from './deployment/deployment.ts';
import { findKind, findRowOwner, toCurrentRow } from './deployment/kinds.ts';
import { type Row, toAttributes, toKey } from './deployment/row.ts';
import { scanRows } from './deployment/table.ts';
import { runInParallel } from './in-parallel.ts';

export interface MoveResult {
  moved: number;
  /** Keys of rows that were not moved: another row has their new key, or they changed during the move. */
  left: string[];
}

/** Returns the deletion of a row, on condition that it has not changed since it was read. */
function buildDelete(TableName: string, row: Row): TransactWriteItem {
  const attributes = Object.entries(row);
  return {
    Delete: {
      TableName,
      Key: toAttributes(toKey(row)),
      ConditionExpression: attributes.map((_, i) => `#${i} = :${i}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map(([name], i) => [`#${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(attributes.map(([, value], i) => [`:${i}`, value])),
    },
  };
}

/**
 * Returns the write of a row under its new key, on condition that the key is free. A count is added to the existing
 * one.
 */
function buildWrite(TableName: string, owner: string, row: Row): TransactWriteItem {
  if (findKind(owner, row) !== 'count')
    return { Put: { TableName, Item: row, ConditionExpression: 'attribute_not_exists(pk)' } };
  const { UpdateExpression, ExpressionAttributeValues } = buildCountUpdate(
    Number(row.sessions?.N),
    row.expires_at && Number(row.expires_at.N),
  );
  return {
    Update: {
      TableName,
      Key: toAttributes(toKey(row)),
      UpdateExpression,
      ExpressionAttributeValues: marshall(ExpressionAttributeValues),
    },
  };
}

/**
 * Moves the rows of all former partitions, each in its own transaction, so that an interruption leaves every row in
 * exactly one place. Scans the table.
 */
export async function moveRows(deployment: Deployment, showProgress: ShowProgress): Promise<MoveResult> {
  const { dynamoDb, table } = deployment;
  const result: MoveResult = { moved: 0, left: [] };
  const move = async (row: Row) => {
    const current = toCurrentRow(row);
    const owner = findRowOwner(current);
    if (current === row || owner === undefined) return;
    const TransactItems = [buildWrite(table, owner, current), buildDelete(table, row)];
    try {
      await dynamoDb.send(new TransactWriteItemsCommand({ TransactItems }));
      result.moved += 1;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      result.left.push(Object.values(toKey(row)).join(' '));
    }
    showProgress(`Rows   ${result.moved.toLocaleString('en')}`);
  };
  for await (const rows of scanRows(deployment)) await runInParallel(rows, 8, move);
  return result;
}
