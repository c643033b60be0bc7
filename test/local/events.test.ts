import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { afterAll, describe, expect, it } from 'vitest';
import { compileEventPattern } from '../../infra/local/buses/event-pattern.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { deployed } from '../support/api.ts';
import { buildReader, createMachine, toArnReference } from '../support/machine.ts';

const root = mkdtempSync(join(tmpdir(), 'voice-assistants-events-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Received {
  key: string;
  event: Record<string, unknown>;
  count: string;
  batch: number;
}

/**
 * Source of a function that logs each message and then acts as its key says: `…/fail-2` fails twice, `…/exit-1` exits once,
 * `…/report-1` reports a failure once, `…/hang-1` hangs once.
 */
const source = `
const { appendFileSync } = require('node:fs');
exports.handler = async ({ Records }) => {
  const batchItemFailures = [];
  for (const { body, messageId, attributes } of Records) {
    const event = JSON.parse(body);
    const { key } = event.detail.object;
    const count = attributes.ApproximateReceiveCount;
    appendFileSync(process.env.NOTES, JSON.stringify({ key, event, count, batch: Records.length }) + '\\n');
    const [, action, times] = /(\\w+)-(\\d+)$/.exec(key) || [];
    if (Number(count) > Number(times || 0)) continue;
    if (action === 'fail') throw new Error('canary');
    if (action === 'exit') process.exit(1);
    if (action === 'hang') await new Promise(() => setInterval(() => {}, 1000));
    if (action === 'report') batchItemFailures.push({ itemIdentifier: messageId });
  }
  return { batchItemFailures };
};`;

const buildResources = (notes: string) => ({
  Files: {
    Type: 'AWS::S3::Bucket',
    Properties: { NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } } },
  },
  Silent: { Type: 'AWS::S3::Bucket', Properties: {} },
  Failed: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: 1_209_600 } },
  Work: {
    Type: 'AWS::SQS::Queue',
    // Makes failed messages visible immediately.
    Properties: {
      VisibilityTimeout: 0,
      RedrivePolicy: { deadLetterTargetArn: toArnReference('Failed'), maxReceiveCount: 3 },
    },
  },
  Uploaded: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: { bucket: { name: [{ Ref: 'Files' }, { Ref: 'Silent' }] }, object: { key: [{ prefix: 'uploads/' }] } },
      },
      State: 'ENABLED',
      Targets: [{ Id: 'Target0', Arn: toArnReference('Work') }],
    },
  },
  ...buildReader(notes, {
    BatchSize: 2,
    EventSourceArn: toArnReference('Work'),
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 2 },
  }),
});

/** Creates a machine with a bucket, a queue and a function. `start` starts a host on it. */
function createBucketMachine(change: (template: ReturnType<typeof buildResources>) => void = () => {}) {
  const dir = mkdtempSync(join(root, 'machine-'));
  const machine = createMachine(
    dir,
    (notes) => {
      const template = buildResources(notes);
      change(template);
      return template;
    },
    source,
  );
  return {
    /** Lists the messages that the function has logged. */
    received: () => machine.readNotes<Received>(),
    /** Lists the object keys of the messages in a queue. */
    kept: (queue: 'Work' | 'Failed'): string[] =>
      readdirSync(join(machine.dataDir, 'queues', `fake-${queue}`))
        .filter((file) => file.endsWith('.json'))
        .map((file) => readFileSync(join(machine.dataDir, 'queues', `fake-${queue}`, file), 'utf8'))
        .map((message) => JSON.parse(JSON.parse(message).body).detail.object.key),
    async start() {
      const started = await machine.start();
      const endpoint = started.services.endpoints.AWS_ENDPOINT_URL_S3 ?? '';
      const client = new S3Client({ endpoint, region: 'us-east-1', credentials });
      return {
        ...started,
        put: (key: string, Bucket = 'fake-files') =>
          client.send(new PutObjectCommand({ Bucket, Key: key, Body: 'hello' })),
        async post(Key: string) {
          const { url, fields } = await createPresignedPost(client, { Bucket: 'fake-files', Key });
          const form = new FormData();
          for (const [name, value] of Object.entries(fields)) form.append(name, value);
          form.append('file', new Blob(['hello']), 'c.txt');
          return fetch(url, { method: 'POST', body: form });
        },
        async stop() {
          client.destroy();
          await started.stop();
        },
      };
    },
  };
}

const eventually = (look: () => unknown) => expect.poll(() => look());

describe.skipIf(deployed)('new objects in a bucket', () => {
  it('reach the function only if the rule matches, from PUT requests and forms', async () => {
    const { received, kept, start } = createBucketMachine();
    const host = await start();
    host.deliver();
    await host.put('other/a');
    await host.put('uploads/a', 'fake-silent');
    await host.put('uploads/b ä+');
    expect((await host.post('uploads/c')).status).toBe(204);
    await eventually(() => received().length).toBe(2);
    await eventually(() => kept('Work')).toEqual([]);
    await host.stop();

    const [put, post] = received().toSorted((one, other) => (one.key < other.key ? -1 : 1));
    expect(put?.event).toEqual({
      version: '0',
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      'detail-type': 'Object Created',
      source: 'aws.s3',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: ['arn:aws:s3:::fake-files'],
      detail: {
        version: '0',
        bucket: { name: 'fake-files' },
        object: {
          key: 'uploads/b ä+',
          size: 5,
          etag: '5d41402abc4b2a76b9719d911017c592',
          sequencer: expect.stringMatching(/^[\dA-F]{18}$/),
        },
        'request-id': expect.any(String),
        requester: '000000000000',
        'source-ip-address': '127.0.0.1',
        reason: 'PutObject',
      },
    });
    expect(post).toMatchObject({ key: 'uploads/c', event: { detail: { reason: 'POST Object' } } });
    expect(host.log).toEqual([]);
  });

  it.each([
    ['throws', 'uploads/fail-1', 'Error: canary'],
    ['ends its process', 'uploads/exit-1', 'The process ended'],
    ['takes too long', 'uploads/hang-1', 'No answer in 2 s'],
  ])('are delivered again to a function that %s', async (_, key, why) => {
    const { received, kept, start } = createBucketMachine();
    const host = await start();
    host.deliver();
    await host.put(key);
    await eventually(() => received().map(({ count }) => count)).toEqual(['1', '2']);
    await eventually(() => kept('Work')).toEqual([]);
    await host.stop();
    expect(kept('Failed')).toEqual([]);
    expect(host.log).toEqual([`reader: The function failed (messages: 1): ${why}`]);
  });

  it('go to the dead-letter queue after the maximum number of failures', async () => {
    const { received, kept, start } = createBucketMachine();
    const host = await start();
    host.deliver();
    await host.put('uploads/fail-9');
    await eventually(() => kept('Failed')).toEqual(['uploads/fail-9']);
    await host.stop();
    expect(received().map(({ count }) => count)).toEqual(['1', '2', '3']);
    expect(kept('Work')).toEqual([]);
  });

  it('arrive in batches, and only failed messages of a batch return', async () => {
    const { received, kept, start } = createBucketMachine();
    const host = await start();
    await host.put('uploads/a');
    await host.put('uploads/report-1');
    host.deliver();
    await eventually(() => received().length).toBe(3);
    await eventually(() => kept('Work')).toEqual([]);
    await host.stop();
    expect(received().map(({ key, count, batch }) => [key, count, batch])).toEqual([
      ['uploads/a', '1', 2],
      ['uploads/report-1', '1', 2],
      ['uploads/report-1', '2', 1],
    ]);
  });

  it('are delivered after a restart of the host', async () => {
    const { received, kept, start } = createBucketMachine(({ Reader }) =>
      Object.assign(Reader.Properties, { Timeout: 60 }),
    );
    const first = await start();
    await first.put('uploads/a');
    await first.stop();
    expect(received()).toEqual([]);

    const second = await start();
    second.deliver();
    await eventually(() => kept('Work')).toEqual([]);
    await second.put('uploads/hang-1');
    await eventually(() => received().length).toBe(2);
    await second.stop(); // while the function runs
    expect(kept('Work')).toEqual(['uploads/hang-1']);

    const third = await start();
    third.deliver();
    await eventually(() => kept('Work')).toEqual([]);
    await third.stop();
    expect(received().map(({ key, count }) => [key, count])).toEqual([
      ['uploads/a', '1'],
      ['uploads/hang-1', '1'],
      ['uploads/hang-1', '2'],
    ]);
  });
});

describe('an event pattern', () => {
  const event = {
    source: 'aws.s3',
    resources: ['a', 'b'],
    detail: { object: { key: 'uploads/a', size: 5 }, none: null },
  };

  it.each([
    [{ source: ['aws.s3'] }, true],
    [{ source: ['aws.ec2', 'aws.s3'] }, true],
    [{ source: ['aws'] }, false],
    [{ source: [] }, false],
    [{ source: ['aws.s3'], 'detail-type': ['Object Created'] }, false],
    [{ detail: { object: { key: [{ prefix: 'uploads/' }] } } }, true],
    [{ detail: { object: { key: [{ prefix: 'passages/' }, 'uploads/a'] } } }, true],
    [{ detail: { object: { key: [{ prefix: 'uploads/b' }] } } }, false],
    [{ detail: { object: { size: [{ prefix: '5' }] } } }, false],
    [{ detail: { object: { size: [5] } } }, true],
    [{ detail: { object: { size: ['5'] } } }, false],
    [{ detail: { none: [null] } }, true],
    [{ detail: { none: { deeper: ['a'] } } }, false],
    [{ resources: ['b'] }, true],
    [{ resources: ['c'] }, false],
  ])('%j matches: %s', (pattern, matches) => {
    expect(compileEventPattern(pattern)(event)).toBe(matches);
  });

  it.each([
    [{ source: 'aws.s3' }],
    [{ source: [{ suffix: 's3' }] }],
    [{ source: [{ 'anything-but': ['aws.s3'] }] }],
    [{ source: [{ prefix: { 'equals-ignore-case': 'AWS' } }] }],
    [{ source: [{}] }],
    [{ $or: [{ source: ['aws.s3'] }] }],
  ])('%j is not supported', (pattern) => {
    expect(() => compileEventPattern(pattern)).toThrow('The local host does not support ');
  });
});

describe.skipIf(deployed)('a template with unsupported properties', () => {
  const changes: Record<string, (template: ReturnType<typeof buildResources>) => void> = {
    DelaySeconds: ({ Work }) => Object.assign(Work.Properties, { DelaySeconds: 5 }),
    InputPath: ({ Uploaded }) => Object.assign(Uploaded.Properties.Targets[0] ?? {}, { InputPath: '$.detail' }),
    RoleArn: ({ Uploaded }) => Object.assign(Uploaded.Properties, { RoleArn: 'any' }),
    suffix: ({ Uploaded }) => Object.assign(Uploaded.Properties.EventPattern, { source: [{ suffix: 's3' }] }),
    'AWS::IAM::Policy': (template) => Object.assign(template, { Policy: { Type: 'AWS::IAM::Policy', Properties: {} } }),
    ManagedPolicyArns: (template) => {
      Object.assign(template, { Role: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: [] } } });
      Object.assign(template.Reader.Properties, { Role: toArnReference('Role') });
    },
    QueueConfigurations: ({ Files }) =>
      Object.assign(Files.Properties.NotificationConfiguration, { QueueConfigurations: [] }),
  };

  it.each(Object.entries(changes))('is rejected at start: %s', async (name, change) => {
    await expect(createBucketMachine(change).start()).rejects.toThrow(
      new RegExp(`^The local host does not support .*${name}`),
    );
  });

  it('is rejected before messages are delivered if an event source has a filter', async () => {
    const host = await createBucketMachine(({ Source }) =>
      Object.assign(Source.Properties, { FilterCriteria: {} }),
    ).start();
    expect(() => host.deliver()).toThrow('The local host does not support FilterCriteria');
    await host.stop();
  });
});
