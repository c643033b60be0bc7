import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import { groups, inParallel } from '../../infra/data/in-parallel.ts';
import type { Place } from '../../infra/data/place.ts';
import type { Row } from '../../infra/data/row.ts';

/** What DynamoDB takes at once, and how many of these are under way. */
const together = 25;
const lanes = 8;

/** After how many rows it tells how far it is. */
const stretch = 20_000;

/** Writes new rows as fast as it goes, in no order. Gives how many there were. */
export async function putRows(
  { dynamoDb, table }: Place,
  rows: Iterable<Row>,
  tell: (count: number) => void,
): Promise<number> {
  let count = 0;
  await inParallel(groups(rows, together), lanes, async (some) => {
    let asked: WriteRequest[] = some.map((Item) => ({ PutRequest: { Item } }));
    for (let tries = 0; asked.length > 0; tries++) {
      if (tries > 0) await sleep(100 * tries);
      const { UnprocessedItems } = await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: asked } }));
      asked = UnprocessedItems?.[table] ?? [];
    }
    count += some.length;
    if (count % stretch === 0) tell(count);
  });
  return count;
}
