import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { scrubDynamoDb, startDynamoDb } from '../../infra/local/emulators/dynamodb.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { deployed } from '../support/api.ts';
import { buildReader, createMachine, toArnReference } from '../support/machine.ts';
import { eventually } from '../support/timeouts.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-streams-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Sort keys of the records that the function has written for one event. */
interface Received {
  keys: string[];
  records: Record<string, unknown>[];
}

/**
 * Source of a function that notes the keys of its records. It then acts as a key says, as long as it was not received more often: a batch
 * with `fail-2` throws twice, `hang-1` hangs once, and `wait-1` waits once for the record `go`.
 */
const source = `
const { appendFileSync, readFileSync } = require('node:fs');
const countReceived = (key) => readFileSync(process.env.NOTES, 'utf8').split('\\n').filter((line) => line.includes('"' + key + '"')).length;
exports.handler = async ({ Records }) => {
  const keys = Records.map(({ dynamodb }) => dynamodb.Keys.sk.S);
  appendFileSync(process.env.NOTES, JSON.stringify({ keys, records: Records.map(({ dynamodb: { Keys, ...rest }, ...record }) => ({ ...record, ...rest })) }) + '\\n');
  for (const { dynamodb } of Records) {
    const [, action, times = 0] = /^EVENT#(\\w+)-(\\d+)$/.exec(dynamodb.Keys.sk.S) || [];
    if (!action || countReceived(dynamodb.Keys.sk.S) > Number(times)) continue;
    if (action === 'fail') throw new Error('canary');
    if (action === 'hang') await new Promise(() => setInterval(() => {}, 1000));
    if (action === 'wait') while (countReceived('EVENT#go') === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }
};`;

const keySchema = [
  { AttributeName: 'pk', KeyType: 'HASH' as const },
  { AttributeName: 'sk', KeyType: 'RANGE' as const },
];
const stringAttributes = (...names: string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const }));

const tableName = 'fake-Table';

const buildResources = (notes: string) => ({
  Table: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: stringAttributes('pk', 'sk', 'by-due'),
      KeySchema: keySchema,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-due',
          KeySchema: [{ AttributeName: 'by-due', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    },
  },
  ...buildReader(notes, {
    BatchSize: 4,
    BisectBatchOnFunctionError: true,
    EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
    FilterCriteria: {
      Filters: [{ Pattern: '{"eventName":["INSERT"],"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"EVENT#"}]}}}}' }],
    },
    StartingPosition: 'TRIM_HORIZON',
  }),
});

function createTableMachine(change: (template: ReturnType<typeof buildResources>) => void = () => {}) {
  const build = (notes: string) => {
    const template = buildResources(notes);
    change(template);
    return template;
  };
  const machine = createMachine(mkdtempSync(join(root, 'machine-')), build, source);
  return {
    ...machine,
    received: () => machine.readNotes<Received>(),
    /** Lists the keys of the rows that the function has received, in order, without `EVENT#`. */
    receivedKeys: () =>
      machine.readNotes<Received>().flatMap(({ keys }) => keys.map((key) => key.slice('EVENT#'.length))),
    async start() {
      const started = await machine.start();
      const endpoint = started.services.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '';
      const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
      const toItem = (sk: string, pk = 'owner') => ({ pk: { S: pk }, sk: { S: sk } });
      return {
        ...started,
        client,
        put: (sk: string, pk?: string) =>
          client.send(new PutItemCommand({ TableName: tableName, Item: toItem(sk, pk) })),
        remove: (sk: string) => client.send(new DeleteItemCommand({ TableName: tableName, Key: toItem(sk) })),
        /** Stores rows concurrently, so that they arrive in one batch. */
        putAll: (...sks: string[]) =>
          client.send(
            new TransactWriteItemsCommand({
              TransactItems: sks.map((sk) => ({ Put: { TableName: tableName, Item: toItem(sk) } })),
            }),
          ),
        async stop() {
          client.destroy();
          await started.stop();
        },
      };
    },
  };
}

describe.skipIf(deployed)("a table's stream", () => {
  it('reaches the function with new rows that match its filter, in order and in batches', async () => {
    const { received, receivedKeys, start } = createTableMachine();
    const host = await start();
    await host.putAll('EVENT#a', 'OTHER#a', 'EVENT#b', 'EVENT#c', 'EVENT#d', 'EVENT#e');
    await host.put('EVENT#a'); // an update
    await host.remove('EVENT#b');
    await host.put('EVENT#f');
    host.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']));
    await host.put('EVENT#g');
    await eventually(() => expect(receivedKeys().at(-1)).toBe('g'));
    await host.stop();
    const [first, ...others] = received();
    expect([first, ...others].map((one) => one?.keys.length)).toEqual([4, 2, 1]);
    expect(first?.records[0]).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      awsRegion: 'us-east-1',
      StreamViewType: 'KEYS_ONLY',
      SequenceNumber: expect.stringMatching(/^\d+$/),
      ApproximateCreationDateTime: expect.closeTo(Date.now() / 1000, -2),
    });
    expect(first?.records[0]).not.toHaveProperty('NewImage');
    expect(host.log).toEqual([]);
  });

  it('splits a failed batch, and retries the record that fails alone until it succeeds', async () => {
    const { received, start } = createTableMachine();
    const host = await start();
    await host.putAll('EVENT#a', 'EVENT#b', 'EVENT#fail-3', 'EVENT#c');
    host.deliver();
    await eventually(() => expect(received().length).toBe(6));
    await host.stop();
    expect(received().map(({ keys }) => keys.map((key) => key.slice('EVENT#'.length)).join(' '))).toEqual([
      'a b fail-3 c',
      'a b',
      'fail-3 c',
      'fail-3',
      'fail-3',
      'c',
    ]);
    expect(host.log).toContain('reader: The function failed (records: 1): Error: canary');
  });

  it('drops a record that fails more often than the mapping retries it', async () => {
    const { receivedKeys, start } = createTableMachine(({ Source }) =>
      Object.assign(Source.Properties, { BatchSize: 1, MaximumRetryAttempts: 1 }),
    );
    const host = await start();
    await host.putAll('EVENT#fail-9', 'EVENT#b');
    host.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['fail-9', 'fail-9', 'b']));
    await host.stop();
    expect(host.log).toContain('reader: A record was dropped: it has failed 2 times');
  });

  it('delivers other rows while a function is busy with one, also of the same partition', async () => {
    const { receivedKeys, start } = createTableMachine(({ Reader, Source }) => {
      Object.assign(Source.Properties, { BatchSize: 1, ParallelizationFactor: 10 });
      Reader.Properties.Timeout = 300; // `wait` would end by it, without lanes
    });
    const host = await start();
    await host.put('EVENT#wait-1', 'slow');
    host.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['wait-1']));
    await host.put('EVENT#go', 'slow');
    await eventually(() => expect(receivedKeys()).toEqual(['wait-1', 'go']));
    await host.stop();
  });

  it('delivers again after a restart what was in progress, and the rows of other keys behind it', async () => {
    const { receivedKeys, start } = createTableMachine(({ Source }) =>
      Object.assign(Source.Properties, { BatchSize: 1, ParallelizationFactor: 10 }),
    );
    const first = await start();
    first.deliver();
    await first.put('EVENT#before', 'other');
    await first.put('EVENT#hang-1', 'slow');
    await first.put('EVENT#beside', 'other');
    await eventually(() => expect(receivedKeys().toSorted()).toEqual(['before', 'beside', 'hang-1']));
    await first.stop(); // while the function runs

    const second = await start();
    second.deliver();
    await eventually(() => expect(receivedKeys().slice(3).toSorted()).toEqual(['beside', 'hang-1']));
    await second.stop();
  });

  it('drops no record because the host stops', async () => {
    const { receivedKeys, start } = createTableMachine(({ Reader, Source }) => {
      Object.assign(Source.Properties, { BatchSize: 1, MaximumRetryAttempts: 0 });
      Reader.Properties.Timeout = 300;
    });
    const first = await start();
    first.deliver();
    await first.put('EVENT#hang-1');
    await eventually(() => expect(receivedKeys()).toEqual(['hang-1']));
    await first.stop(); // while the function runs

    const second = await start();
    second.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['hang-1', 'hang-1']));
    await second.stop();
  });

  it('continues after a restart of the host, and repeats at most the event in progress', async () => {
    const { received, receivedKeys, dataDir, start } = createTableMachine();
    const first = await start();
    first.deliver();
    await first.put('EVENT#a');
    await eventually(() => expect(receivedKeys()).toEqual(['a']));
    await first.put('EVENT#hang-1');
    await eventually(() => expect(receivedKeys()).toEqual(['a', 'hang-1']));
    await first.stop(); // while the function runs
    const checkpoint = readFileSync(join(dataDir, 'streams', 'reader.json'), 'utf8');
    expect(Object.values(JSON.parse(checkpoint))).toHaveLength(1);

    const second = await start();
    await second.put('EVENT#b');
    second.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['a', 'hang-1', 'hang-1', 'b']));
    await second.stop();
    expect(received().flatMap(({ keys }) => keys)).not.toContain('OTHER#a');
  });

  function countRecords(dataDir: string): number {
    const database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'), { readOnly: true, timeout: 5_000 });
    const { count } = database.prepare('SELECT count(*) AS count FROM _stream_records').get() as { count: number };
    database.close();
    return count;
  }

  it('has an index by which each write finds the last number of the records', async () => {
    const { dataDir, start } = createTableMachine();
    const host = await start();
    const database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'), { readOnly: true });
    const find = 'SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?'; // as dynoxide does
    expect(database.prepare(`EXPLAIN QUERY PLAN ${find}`).get('x')?.detail).toMatch(/ USING COVERING INDEX /);
    database.close();
    await host.stop();
  });

  it('keeps few of the records that were handled while the function is busy with one, and delivers that again after a restart', async () => {
    const { dataDir, receivedKeys, start } = createTableMachine(({ Reader, Source }) => {
      Object.assign(Source.Properties, { BatchSize: 1, ParallelizationFactor: 10 });
      Reader.Properties.Timeout = 300;
    });
    const first = await start();
    await first.put('EVENT#hang-1');
    first.deliver();
    await eventually(() => expect(receivedKeys()).toEqual(['hang-1']));
    const toKeys = (batch: number) => Array.from({ length: 100 }, (_, number) => `OTHER#${batch}-${number}`);
    for (let batch = 0; batch < 12; batch++) await first.putAll(...toKeys(batch));
    await eventually(() => expect(countRecords(dataDir)).toBeLessThan(700));
    await first.stop(); // while the function runs

    const second = await start();
    await second.put('EVENT#last');
    second.deliver();
    await eventually(() => expect(receivedKeys().toSorted()).toEqual(['hang-1', 'hang-1', 'last']));
    await second.stop();
  });

  it('keeps few of the records that were handled, and continues its numbers after a restart', async () => {
    const { dataDir, receivedKeys, start } = createTableMachine();
    const first = await start();
    first.deliver();
    const toKeys = (batch: number) => Array.from({ length: 100 }, (_, number) => `EVENT#${batch}-${number}`);
    for (let batch = 0; batch < 12; batch++) await first.putAll(...toKeys(batch));
    await eventually(() => expect(receivedKeys()).toHaveLength(1_200));
    await eventually(() => expect(countRecords(dataDir)).toBeLessThan(700));
    await first.stop();

    const second = await start();
    second.deliver();
    await second.put('EVENT#last');
    await eventually(() => expect(receivedKeys().slice(1_199)).toEqual(['11-99', 'last']));
    await second.stop();
  });

  it('loses the keys of deleted rows when they are erased, but not the records of other rows', async () => {
    const { dataDir, receivedKeys, start } = createTableMachine();
    const host = await start();
    await host.put('EVENT#forgotten');
    await host.put('EVENT#kept');
    await host.remove('EVENT#forgotten');
    host.services.scrub();
    for (const file of ['dynamodb.sqlite', 'dynamodb.sqlite-wal'])
      expect(readFileSync(join(dataDir, file)).includes('forgotten')).toBe(false);
    host.deliver();
    await host.put('EVENT#new');
    await eventually(() => expect(receivedKeys()).toEqual(['kept', 'new']));
    await host.stop();
  });

  it('may still hold deleted rows while others read the database, and says so', async () => {
    const { dataDir, start } = createTableMachine();
    const host = await start();
    const reader = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'));
    reader.exec('BEGIN; SELECT * FROM _stream_records');
    await host.put('EVENT#one');
    expect(() => scrubDynamoDb(dataDir, 100)).toThrow('is in use and may still hold deleted rows: run this again');
    reader.exec('ROLLBACK; BEGIN IMMEDIATE');
    expect(() => scrubDynamoDb(dataDir, 100)).toThrow('is in use and may still hold deleted rows: run this again');
    reader.close();
    scrubDynamoDb(dataDir);
    await host.stop();
  });

  it('of a folder that somebody else made runs no SQL by its name when deleted rows are erased', async () => {
    const { dataDir, start } = createTableMachine();
    const host = await start();
    await host.put('EVENT#one');
    await host.stop();
    const outside = join(dataDir, 'outside.db');
    const name = `x'; ATTACH '${outside}' AS o; CREATE TABLE o.t AS SELECT 1; --`;
    const database = new DatabaseSync(join(dataDir, 'dynamodb.sqlite'));
    database.prepare('UPDATE _stream_records SET table_name = ?').run(name);
    database.close();
    expect(() => scrubDynamoDb(dataDir)).toThrow('no such table');
    expect(existsSync(outside)).toBe(false);
  });

  it('and an index are added to a table of an earlier release, which keeps its rows', async () => {
    const { dataDir, receivedKeys, start } = createTableMachine();
    mkdirSync(dataDir, { recursive: true });
    const emulator = await startDynamoDb(dataDir);
    const client = new DynamoDBClient({ endpoint: emulator.endpoint, region: 'us-east-1', credentials });
    await client.send(
      new CreateTableCommand({
        TableName: tableName,
        AttributeDefinitions: stringAttributes('pk', 'sk'),
        KeySchema: keySchema,
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const old = { PutRequest: { Item: { pk: { S: 'owner' }, sk: { S: 'EVENT#old' }, 'by-due': { S: 'DUE' } } } };
    await client.send(new BatchWriteItemCommand({ RequestItems: { [tableName]: [old] } }));
    client.destroy();
    await emulator.stop();

    const host = await start();
    host.deliver();
    await host.put('EVENT#new');
    await eventually(() => expect(receivedKeys()).toEqual(['new']));
    const { Items } = await host.client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: 'by-due',
        KeyConditionExpression: '#due = :due',
        ExpressionAttributeNames: { '#due': 'by-due' },
        ExpressionAttributeValues: { ':due': { S: 'DUE' } },
      }),
    );
    expect(Items).toEqual([{ pk: { S: 'owner' }, sk: { S: 'EVENT#old' }, 'by-due': { S: 'DUE' } }]);
    await host.stop();
  });

  it.each(['TumblingWindowInSeconds', 'DestinationConfig'])(
    'is not delivered with a setting that the local host does not support: %s',
    async (name) => {
      const machine = createTableMachine(({ Source }) => Object.assign(Source.Properties, { [name]: 2 }));
      const host = await machine.start();
      expect(() => host.deliver()).toThrow(`The local host does not support ${name}`);
      await host.stop();
    },
  );
});

describe.skipIf(deployed)('an event source', () => {
  it('is rejected if it is of another service', async () => {
    const machine = createTableMachine(({ Source }) =>
      Object.assign(Source.Properties, { EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/a' }),
    );
    const host = await machine.start();
    expect(() => host.deliver()).toThrow('The local host does not support the event source arn:aws:kinesis');
    await host.stop();
  });

  it('is rejected if its queue is not in the templates', async () => {
    const machine = createTableMachine((template) => {
      Object.assign(template, { Other: { Type: 'AWS::SQS::Queue', Properties: {} } });
      template.Source.Properties = {
        FunctionName: template.Source.Properties.FunctionName,
        EventSourceArn: { 'Fn::Join': ['', [toArnReference('Other'), '-unknown']] },
      } as never;
    });
    const host = await machine.start();
    expect(() => host.deliver()).toThrow(
      'The templates have no queue arn:aws:sqs:us-east-1:000000000000:fake-Other-unknown',
    );
    await host.stop();
  });
});
