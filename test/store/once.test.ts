import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { onceKey } from '../../shared/store/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { AlreadyAnswered, remember } = await import('../../shared/store/once.ts');
const { write } = await import('../../shared/store/table-writes.ts');

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = inject('tableName');

const repeatable = () => ({ owner: randomUUID(), route: 'a/b', key: randomUUID(), request: { secret: 'sk-canary' } });
const answer = { body: { id: 1, text: 'ünï' }, etag: '"1"' };

describe('a remembered answer', () => {
  it('comes back for the same request, and not for another', async () => {
    const first = repeatable();
    await write(remember(first, answer));
    await expect(write(remember(first, { body: 'other' }))).rejects.toMatchObject({ same: true, answer });
    await expect(write(remember({ ...first, request: {} }, answer))).rejects.toMatchObject({ same: false });
    for (const elsewhere of [{ owner: 'x' }, { route: 'x/y' }, { key: 'x' }]) {
      await write(remember({ ...first, ...elsewhere, owner: elsewhere.owner ?? randomUUID() }, answer));
    }
  });

  it('is refused together with what it was to be written with', async () => {
    const first = repeatable();
    await write(remember(first, answer));
    const key = { pk: first.owner, sk: 'X' };
    await expect(write({ Put: { Item: key } }, remember(first, answer))).rejects.toThrow(AlreadyAnswered);
    expect((await client.send(new GetCommand({ TableName, Key: key }))).Item).toBeUndefined();
  });

  it('is forgotten after a day, even where the row still lingers', async () => {
    const first = repeatable();
    await write(remember(first, answer));
    const Key = onceKey(first.owner, first.route, first.key);
    await client.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET expires_at = :past',
        ExpressionAttributeValues: { ':past': Math.floor(Date.now() / 1000) - 1 },
      }),
    );
    await write(remember(first, answer));
  });

  it('holds neither the request nor the key', async () => {
    const first = repeatable();
    await write(remember(first, answer));
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: onceKey(first.owner, first.route, first.key) }),
    );
    expect(JSON.stringify(Item)).not.toContain('canary');
    expect(JSON.stringify(Item)).not.toContain(first.key);
  });
});
