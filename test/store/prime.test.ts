import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prime } from '../../shared/store/table/prime.ts';

const get = new GetItemCommand({ TableName: 'assistants', Key: { pk: { S: '-' } } });

describe('priming a client', () => {
  let received = 0;
  const service = createServer((_, response) => {
    received += 1;
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{"Item":{"pk":{"S":"real"}}}');
  });
  let client: DynamoDBClient;

  beforeAll(async () => {
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const { port } = service.address() as AddressInfo;
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' };
    client = new DynamoDBClient({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials });
  });
  afterAll(() => {
    client.destroy();
    service.close();
  });

  it('runs a whole request and response, and sends nothing', async () => {
    let response: unknown;
    const request = async () => {
      response = await client.send(get);
    };
    prime(client, request, { Item: { pk: { S: 'made up' } } });
    await expect.poll(() => response).toMatchObject({ Item: { pk: { S: 'made up' } } });
    expect(received).toBe(0);
  });

  it('does not affect later requests', async () => {
    prime(client, () => client.send(get), {});
    expect(await client.send(get)).toMatchObject({ Item: { pk: { S: 'real' } } });
    expect(received).toBe(1);
  });

  it('ignores a failed request', async () => {
    const failWithoutSending = async () => {
      throw new Error('no credentials');
    };
    prime(client, failWithoutSending, {});
    await setImmediate(); // an unhandled rejection fails the run
  });
});
