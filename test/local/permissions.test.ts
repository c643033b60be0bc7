import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttributeValue,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { loadFixture } from '../../infra/local/fixture.ts';
import { createFunctionRunners } from '../../infra/local/lambda/functions.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { toBatches } from '../../shared/store/batches.ts';
import { listPartitions, toApiKeyKey, toKnowledgeBasesPrefix, toUserKey } from '../../shared/store/table/keys.ts';
import { deployed } from '../support/api.ts';

interface Statement {
  Action: string | string[];
}

/** Removes the statement with an action from the policy of a route's role in the template. */
function removeStatement(assemblyDir: string, id: string, action: string): void {
  const [file = ''] = globSync(join(assemblyDir, '*Api*.nested.template.json'));
  const template = JSON.parse(readFileSync(file, 'utf8'));
  const [, role] =
    Object.entries<{ Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } }>(
      template.Resources,
    ).find(([name]) => name.startsWith(`${id.replaceAll(/[/-]/g, '')}Role`)) ?? [];
  const document = role?.Properties.Policies[0]?.PolicyDocument;
  const remaining = document?.Statement.filter(({ Action }) => ![Action].flat().includes(action)) ?? [];
  expect(remaining.length).toBe((document?.Statement.length ?? 0) - 1);
  if (document) document.Statement = remaining;
  writeFileSync(file, JSON.stringify(template));
}

describe.skipIf(deployed)('a local function', () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-rights-'));
  let services: Services;
  const clients: { destroy(): void }[] = [];

  beforeAll(async () => {
    const assemblyDir = join(dir, 'assembly');
    cpSync(await synthesize(), assemblyDir, { recursive: true });
    removeStatement(assemblyDir, 'assistants/create', 'dynamodb:PutItem');
    removeStatement(assemblyDir, 'logs/list', 's3:ListBucket');
    mkdirSync(join(dir, 'data'), { mode: 0o755 });
    services = await startServices(join(dir, 'data'), assemblyDir);
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await services.stop();
    rmSync(dir, { recursive: true });
  });

  const getProxyUrl = (id: string) =>
    services.proxies.getEndpoints(`voice-assistants-dev-${id.replace('/', '-')}`).AWS_ENDPOINT_URL_S3 ?? '';

  /** Creates an SDK client with the endpoint of a function. */
  function createClient<C extends { destroy(): void }>(Client: new (settings: object) => C, id: string): C {
    const client = new Client({ endpoint: getProxyUrl(id), region: 'us-east-1', credentials });
    clients.push(client);
    return client;
  }

  it('answers 500 if it lacks a permission, and logs which one', async () => {
    let log = '';
    const runners = createFunctionRunners(services, (chunk) => {
      log += chunk;
    });
    const create = runners.get('voice-assistants-dev-assistants-create');
    const event = await loadFixture(services, 'assistants/create');
    const answer = await create?.invoke(event);
    await create?.stop();
    const body = expect.stringMatching(/"type":"internal"/);
    expect(answer).toMatchObject({ statusCode: 500, body });
    expect(JSON.stringify(answer)).not.toContain('dynamodb');
    expect(log).toContain('AccessDeniedException');
    expect(log).toMatch(
      /User: arn:aws:sts::000000000000:assumed-role\/\S+ is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:\S+ because no identity-based policy allows the dynamodb:PutItem action/,
    );
    expect(services.proxies.report().refused).toContainEqual(
      expect.stringMatching(/^assistants\/create: dynamodb:PutItem on arn:/),
    );
  });

  /** Reads a row of a partition with the permissions of a function. */
  const readRow = (id: string, pk: string) =>
    createClient(DynamoDBClient, id).send(
      new GetItemCommand({ TableName: inject('tableName'), Key: { pk: { S: pk }, sk: { S: 'x' } } }),
    );
  const denied = { name: 'AccessDeniedException', $fault: 'client' };

  it('can read only the kinds of rows that its route needs', async () => {
    for (const pk of ['USER#alice#ASSISTANTS', 'KEY#hash'])
      expect((await readRow('assistants/get', pk)).Item).toBeUndefined();
    for (const pk of ['USER#alice#CREDENTIALS', 'USER#alice#KNOWLEDGE', 'USER#alice', 'OTHER#alice#ASSISTANTS'])
      await expect(readRow('assistants/get', pk)).rejects.toMatchObject(denied);
    const unused = services.proxies.report().unused.filter((right) => right.startsWith('assistants/get: '));
    expect(unused.map((right) => right.replace(/ on arn:.*/, '')).toSorted()).toEqual([
      'assistants/get: Allow dynamodb:BatchGetItem',
      'assistants/get: Allow dynamodb:BatchGetItem on rows of USER#*#KNOWLEDGE',
      'assistants/get: Allow dynamodb:UpdateItem',
      'assistants/get: Allow dynamodb:UpdateItem on rows of KEY#*',
    ]);
  });

  it('can read only rows of knowledge bases if it parses documents', async () => {
    const owner = toUserKey('https://issuer.example', 'alice');
    const { pk: records } = toKnowledgeBasesPrefix(owner);
    expect((await readRow('ingest', records)).Item).toBeUndefined();
    for (const pk of [...listPartitions(owner).filter((one) => one !== records), toApiKeyKey('hash').pk])
      await expect(readRow('ingest', pk)).rejects.toMatchObject(denied);
  });

  it('reads at most 100 rows per page of a query, whatever its limit', async () => {
    const TableName = inject('tableName');
    const pk = { S: 'USER#many#KEYLIST' };
    const Items = Array.from({ length: 110 }, (_, number) => ({ pk, sk: { S: String(number).padStart(3, '0') } }));
    const writer = createClient(DynamoDBClient, 'api-keys/create');
    const puts = Items.map((Item) => ({ Put: { TableName, Item } }));
    for (const TransactItems of toBatches(puts, 100))
      await writer.send(new TransactWriteItemsCommand({ TransactItems }));
    const condition = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    const lister = createClient(DynamoDBClient, 'api-keys/list');
    const query = (more: { Limit?: number; ExclusiveStartKey?: Record<string, AttributeValue> }) =>
      lister.send(new QueryCommand({ TableName, ...condition, ...more }));
    const first = await query({});
    expect(first).toMatchObject({
      Items: Items.slice(0, 100),
      Count: 100,
      ScannedCount: 100,
      LastEvaluatedKey: Items[99],
    });
    expect((await query({ Limit: 1000 })).Items).toEqual(Items.slice(0, 100));
    expect((await query({ Limit: 2 })).Items).toEqual(Items.slice(0, 2));
    const last = await query({ ExclusiveStartKey: first.LastEvaluatedKey ?? {} });
    expect(last.Items).toEqual(Items.slice(100));
    expect(last.LastEvaluatedKey).toBeUndefined();
  });

  it('can write several kinds of rows in one transaction only if one permission covers all of them', async () => {
    const TableName = inject('tableName');
    const put = (pk: string) => ({ Put: { TableName, Item: { pk: { S: pk }, sk: { S: 'x' } } } });
    const both = new TransactWriteItemsCommand({ TransactItems: [put('USER#nobody#KEYLIST'), put('KEY#nobody')] });
    await createClient(DynamoDBClient, 'api-keys/create').send(both);
    await expect(createClient(DynamoDBClient, 'credentials/upsert').send(both)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('can access only its own folders, and gets 404 for missing files only if it may list the bucket', async () => {
    const at = (Key: string) => ({ Bucket: inject('bucketName'), Key });
    const writer = createClient(S3Client, 'logs/create');
    await writer.send(new PutObjectCommand({ ...at('transcripts/ä + b'), Body: 'hello' }));
    const read = (id: string, key: string) => createClient(S3Client, id).send(new GetObjectCommand(at(key)));
    for (const id of ['logs/get', 'logs/list'])
      expect(await (await read(id, 'transcripts/ä + b')).Body?.transformToString()).toBe('hello');
    await expect(read('logs/get', 'transcripts/none')).rejects.toMatchObject({ name: 'NoSuchKey' });
    for (const [id, key] of [
      ['logs/list', 'transcripts/none'],
      ['logs/get', 'uploads/ä + b'],
      ['logs/create', 'transcripts/ä + b'],
      ['knowledge-bases/get', 'uploads/a'],
    ] as const) {
      await expect(read(id, key)).rejects.toMatchObject({
        name: 'AccessDenied',
        $metadata: { httpStatusCode: 403 },
      });
    }
  });

  it('can list only the folder of its own files', async () => {
    const list = (id: string, more: { Prefix?: string }) =>
      createClient(S3Client, id).send(new ListObjectsV2Command({ Bucket: inject('bucketName'), ...more }));
    expect((await list('logs/get', { Prefix: 'transcripts/' })).KeyCount).toBeGreaterThanOrEqual(0);
    for (const more of [{}, { Prefix: 'uploads/' }, { Prefix: 'transcripts' }])
      await expect(list('logs/get', more)).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(list('knowledge-bases/get', { Prefix: 'uploads/' })).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('can sign forms only for folders that it may write', async () => {
    const send = async (id: string, Key: string) => {
      const { url, fields } = await createPresignedPost(createClient(S3Client, id), {
        Bucket: inject('bucketName'),
        Key,
      });
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob(['hello']), 'a.txt');
      return fetch(url, { method: 'POST', body: form });
    };
    expect((await send('knowledge-bases/create-upload', 'uploads/a')).status).toBe(204);
    expect((await send('knowledge-bases/create-upload', 'transcripts/a')).status).toBe(403);
    expect((await send('knowledge-bases/get', 'uploads/a')).status).toBe(403);
  });

  it('has a proxy that answers pages only for forms and their preflight requests', async () => {
    const url = `${getProxyUrl('knowledge-bases/create-upload')}/${inject('bucketName')}`;
    const origin = 'http://localhost:3000';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-amz-target' };
    expect((await fetch(url, { method: 'OPTIONS', headers: asked })).status).toBe(200);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    const foreign = { origin: 'http://evil.example' };
    expect((await fetch(url, { method: 'OPTIONS', headers: { ...asked, ...foreign } })).status).toBe(403);
    const unread = request(url, { method: 'POST', headers: { ...form, ...foreign } });
    unread.on('error', () => {}).write('--x');
    const [refused] = await once(unread, 'response');
    expect(refused.statusCode).toBe(403);
    unread.destroy();
    const target = { ...form, 'x-amz-target': 'DynamoDB_20120810.GetItem' };
    const get = JSON.stringify({ TableName: inject('tableName'), Key: { pk: { S: 'USER#a' }, sk: { S: 'x' } } });
    for (const headers of [
      { ...target, origin },
      { ...target, 'sec-fetch-site': 'same-site' },
    ])
      expect((await fetch(url, { method: 'POST', headers, body: get })).status).toBe(403);
    expect((await fetch(url, { method: 'POST', headers: target, body: get })).status).toBe(400); // AccessDenied
  });

  it.each([
    ['TrentService.Encrypt', { KeyId: 'k', Plaintext: 'AAAA' }],
    ['AmazonSQS.SendMessageBatch', { QueueUrl: 'x', Entries: [{ Id: '0', MessageBody: '{}' }] }],
    ['AWSEvents.PutEvents', { Entries: [{ EventBusName: 'x', Source: 's', DetailType: 'd', Detail: '{}' }] }],
    ['DynamoDB_20120810.GetItem', { TableName: 'x', Key: { pk: { S: 'a' }, sk: { S: 'b' } } }],
  ])('needs its permissions whatever the method of a request: %s', async (target, input) => {
    const init = { headers: { 'x-amz-target': target }, body: JSON.stringify(input) };
    for (const method of ['POST', 'OPTIONS', 'PUT']) {
      const reply = await fetch(getProxyUrl('protected/check'), { method, ...init });
      expect([reply.status, await reply.text()], method).toEqual([400, expect.stringContaining('AccessDenied')]);
    }
  });

  it('has a proxy that answers no webhooks, tools and agents', async () => {
    const url = `${getProxyUrl('logs/get')}/${inject('bucketName')}?list-type=2&prefix=transcripts/`;
    expect((await fetch(url)).status).toBe(200);
    for (const agent of ['voice-assistants-webhooks', 'voice-assistants-tools', 'voice-assistants-mcp'])
      expect((await fetch(url, { headers: { 'user-agent': agent } })).status, agent).toBe(403);
  });

  it('stores its data in a folder that only its owner can read', () => {
    expect(statSync(join(dir, 'data')).mode & 0o777).toBe(0o700);
  });

  it('can encrypt only with the full context, and decrypt only if its route needs to', async () => {
    const [key] = services.assembly.listResources('AWS::KMS::Key');
    const KeyId = `${key?.stack}-${key?.id}`;
    const Plaintext = Buffer.from('secret');
    const EncryptionContext = { user: 'alice', service: 'openai', name: 'default' };
    const [upsert, worker] = [
      createClient(KMSClient, 'credentials/upsert'),
      createClient(KMSClient, 'assistants/runtime-config'),
    ];
    const { CiphertextBlob } = await upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
    const decrypt = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext });
    expect(Buffer.from((await worker.send(decrypt)).Plaintext ?? []).toString()).toBe('secret');
    const { name: _, ...partial } = EncryptionContext;
    for (const attempt of [
      upsert.send(decrypt),
      upsert.send(new EncryptCommand({ KeyId, Plaintext })),
      upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext: partial })),
      upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { ...EncryptionContext, more: 'x' } })),
      upsert.send(new EncryptCommand({ KeyId: 'another', Plaintext, EncryptionContext })),
    ]) {
      await expect(attempt).rejects.toMatchObject({ name: 'AccessDeniedException', $fault: 'client' });
    }
  });
});
