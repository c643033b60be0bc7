import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type Deployment, toLocalDeployment, withDeployment } from '../../infra/commands/data/deployment/deployment.ts';
import { queryPages, scanRows } from '../../infra/commands/data/deployment/table.ts';
import type { Services } from '../../infra/local/services.ts';
import { toBatches } from '../../shared/store/batches.ts';
import { deployed } from '../support/api.ts';

/** Answers DescribeStacks as CloudFormation does. */
const server = createServer(async (request, response) => {
  const name = new URLSearchParams((await buffer(request)).toString()).get('StackName') ?? '';
  const outputs: Record<string, string> = { Table: 't', Bucket: 'b', Key: 'arn:key', Issuer: 'https://issuer.example' };
  if (name === 'voice-assistants-old') delete outputs.Key;
  const members = Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
  if (name === 'voice-assistants-none')
    response
      .writeHead(400)
      .end(
        `<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`,
      );
  else
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
});

describe.skipIf(deployed)('a deployed environment', () => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    process.env.AWS_ENDPOINT_URL_CLOUDFORMATION = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  });
  afterAll(() => server.close());

  it('is found through the outputs of its stack', async () => {
    const found: Deployment[] = [];
    await withDeployment('prod', async (place) => {
      found.push(place);
    });
    expect(found).toEqual([
      expect.objectContaining({
        name: 'voice-assistants-prod',
        table: 't',
        bucket: 'b',
        key: 'arn:key',
        issuer: 'https://issuer.example',
      }),
    ]);
  });

  it('is reported in one sentence if it does not exist or lacks an output', async () => {
    const command = async () => {
      throw new Error('It should not run');
    };
    await expect(withDeployment('none', command)).rejects.toThrow(
      'The stack voice-assistants-none cannot be read (Stack with id voice-assistants-none does not exist): check --env',
    );
    await expect(withDeployment('old', command)).rejects.toThrow(
      'voice-assistants-old has no output Key: deploy it again',
    );
  });
});

it.skipIf(deployed)('The local host is read in pages of 100 rows', async () => {
  const place = toLocalDeployment({
    endpoints: { AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDb') },
    assembly: { getOutput: () => inject('tableName') },
  } as unknown as Services);
  const pk = 'OTHER#pages';
  const items = Array.from({ length: 110 }, (_, number) => ({ pk: { S: pk }, sk: { S: String(number) } }));
  const send = async (kind: 'Put' | 'Delete') => {
    const toWrite = (item: (typeof items)[0]) =>
      kind === 'Put'
        ? { Put: { TableName: place.table, Item: item } }
        : { Delete: { TableName: place.table, Key: item } };
    for (const TransactItems of toBatches(items.map(toWrite), 100))
      await place.dynamoDb.send(new TransactWriteItemsCommand({ TransactItems }));
  };
  await send('Put');
  onTestFinished(() => send('Delete'));
  const counts: number[] = [];
  for await (const { rows } of queryPages(place, { pk })) counts.push(rows.length);
  expect(counts).toEqual([100, 10]);
  for await (const rows of scanRows(place)) expect(rows.length).toBeLessThanOrEqual(100);
});
