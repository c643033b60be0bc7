import { randomBytes } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { toEventKey } from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const journal = await import('../../shared/store/journal.ts');
const { client, TableName } = await import('../../shared/store/table/table.ts');

test('a list of events logs the first one that it cannot read', async () => {
  const owner = randomBytes(32).toString('base64url');
  const keys = Array.from({ length: 20 }, () => toEventKey(owner, uuidv7()));
  const puts = keys.map((Item) => ({ PutRequest: { Item: { ...Item } } }));
  await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  for await (const event of journal.list(owner, { ascending: true })) expect(event).toBeUndefined();
  expect(log.mock.calls).toEqual([[expect.objectContaining({ event: 'unreadable', id: keys[0]?.sk })]]);
  log.mockRestore();
});
