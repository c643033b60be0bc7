import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { counting } from '../../shared/store/session-count.ts';
import type { Say } from '../progress.ts';
import { inParallel } from './in-parallel.ts';
import { holderOf, kindOf, moved } from './kinds.ts';
import type { Place } from './place.ts';
import { attributesOf, keyOf, type Row } from './row.ts';
import { scanRows } from './table.ts';

export interface Outcome {
  moved: number;
  /** Keys of rows that stayed, since another row has their new key, or somebody changed them meanwhile. */
  left: string[];
}

/** Deletes a row, unless somebody has changed it since it was read. */
function deletion(TableName: string, row: Row): TransactWriteItem {
  const attributes = Object.entries(row);
  return {
    Delete: {
      TableName,
      Key: attributesOf(keyOf(row)),
      ConditionExpression: attributes.map((_, i) => `#${i} = :${i}`).join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map(([name], i) => [`#${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(attributes.map(([, value], i) => [`:${i}`, value])),
    },
  };
}

/** Writes a row under its new key, where no other row has it. A count is added to the one that is there. */
function arrival(TableName: string, owner: string, row: Row): TransactWriteItem {
  if (kindOf(owner, row) !== 'count')
    return { Put: { TableName, Item: row, ConditionExpression: 'attribute_not_exists(pk)' } };
  const { UpdateExpression, ExpressionAttributeValues } = counting(
    Number(row.sessions?.N),
    row.expires_at && Number(row.expires_at.N),
  );
  return {
    Update: {
      TableName,
      Key: attributesOf(keyOf(row)),
      UpdateExpression,
      ExpressionAttributeValues: marshall(ExpressionAttributeValues),
    },
  };
}

/**
 * Moves rows of the former partition of every user to the partitions of their kinds, each in a transaction of its own: whatever
 * ends it, a row is in one place. Scans the table.
 */
export async function moveRows(place: Place, say: Say): Promise<Outcome> {
  const { dynamoDb, table } = place;
  const outcome: Outcome = { moved: 0, left: [] };
  const move = async (row: Row) => {
    const next = moved(row);
    const owner = holderOf(next);
    if (next === row || owner === undefined) return;
    const TransactItems = [arrival(table, owner, next), deletion(table, row)];
    try {
      await dynamoDb.send(new TransactWriteItemsCommand({ TransactItems }));
      outcome.moved += 1;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      outcome.left.push(Object.values(keyOf(row)).join(' '));
    }
    say(`Rows   ${outcome.moved.toLocaleString('en')}`);
  };
  for await (const rows of scanRows(place)) await inParallel(rows, 8, move);
  return outcome;
}
