import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import type { Row } from '../../infra/commands/data/deployment/row.ts';
import { runInParallel, toBatches } from '../../infra/commands/data/in-parallel.ts';

/** Maximum of rows per BatchWriteItem, and number of parallel batches. */
const batchSize = 25;
const concurrency = 8;

/** Number of rows between two progress reports. */
const progressInterval = 20_000;

/** Writes new rows as fast as possible, in any order. Returns their number. */
export async function putRows(
  { dynamoDb, table }: Deployment,
  rows: Iterable<Row>,
  onProgress: (count: number) => void,
): Promise<number> {
  let count = 0;
  await runInParallel(toBatches(rows, batchSize), concurrency, async (some) => {
    let asked: WriteRequest[] = some.map((Item) => ({ PutRequest: { Item } }));
    for (let tries = 0; asked.length > 0; tries++) {
      if (tries > 0) await sleep(100 * tries);
      const { UnprocessedItems } = await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: asked } }));
      asked = UnprocessedItems?.[table] ?? [];
    }
    count += some.length;
    if (count % progressInterval === 0) onProgress(count);
  });
  return count;
}
