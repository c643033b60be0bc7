import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { toBatches } from '../../shared/store/batches.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { client, query, TableName } = await import('../../shared/store/table/table.ts');
const { meter } = await import('../../shared/telemetry/meter.ts');

const pk = 'many rows';
const sortKeys = Array.from({ length: 1_000 }, (_, i) => String(i).padStart(4, '0'));

test('a query that reads on asks for twice as many rows each time', async () => {
  for (const batch of toBatches(sortKeys, 25))
    await client.send(
      new BatchWriteCommand({
        RequestItems: { [TableName]: batch.map((sk) => ({ PutRequest: { Item: { pk, sk } } })) },
      }),
    );
  meter.roundTrips = 0;
  const found: unknown[] = [];
  for await (const { sk } of query({ pk, ascending: true, pageSize: 2 })) found.push(sk);
  expect(found).toEqual(sortKeys);
  expect(meter.roundTrips).toBe(9); // eight pages of 2 to 256 rows have 510, the ninth the others
});
