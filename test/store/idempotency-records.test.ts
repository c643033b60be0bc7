import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { toIdempotencyRecordKey } from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const { AlreadyAnswered, buildResultWrite } = await import('../../shared/store/table/idempotency-records.ts');
const { write } = await import('../../shared/store/table/writes.ts');

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = inject('tableName');

const createRequest = () => ({
  owner: randomUUID(),
  route: 'a/b',
  key: randomUUID(),
  request: { secret: 'sk-canary' },
});
const result = { body: { id: 1, text: 'ünï' }, etag: '"1"' };

describe('an idempotency record', () => {
  it('returns the result to the same request, and to no other', async () => {
    const request = createRequest();
    await write(buildResultWrite(request, result));
    await expect(write(buildResultWrite(request, { body: 'other' }))).rejects.toMatchObject({
      isSameRequest: true,
      result: result,
    });
    await expect(write(buildResultWrite({ ...request, request: {} }, result))).rejects.toMatchObject({
      isSameRequest: false,
    });
    for (const elsewhere of [{ owner: 'x' }, { route: 'x/y' }, { key: 'x' }]) {
      await write(buildResultWrite({ ...request, ...elsewhere, owner: elsewhere.owner ?? randomUUID() }, result));
    }
  });

  it('rejects the whole transaction if the request already has a result', async () => {
    const request = createRequest();
    await write(buildResultWrite(request, result));
    const key = { pk: request.owner, sk: 'X' };
    await expect(write({ Put: { Item: key } }, buildResultWrite(request, result))).rejects.toThrow(AlreadyAnswered);
    expect((await client.send(new GetCommand({ TableName, Key: key }))).Item).toBeUndefined();
  });

  it('expires after a day, even if the row still exists', async () => {
    const request = createRequest();
    await write(buildResultWrite(request, result));
    const Key = toIdempotencyRecordKey(request.owner, request.route, request.key);
    await client.send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET expires_at = :past',
        ExpressionAttributeValues: { ':past': Math.floor(Date.now() / 1000) - 1 },
      }),
    );
    await write(buildResultWrite(request, result));
  });

  it('contains neither the request nor the Idempotency-Key', async () => {
    const request = createRequest();
    await write(buildResultWrite(request, result));
    const { Item } = await client.send(
      new GetCommand({ TableName, Key: toIdempotencyRecordKey(request.owner, request.route, request.key) }),
    );
    expect(JSON.stringify(Item)).not.toContain('canary');
    expect(JSON.stringify(Item)).not.toContain(request.key);
  });
});
