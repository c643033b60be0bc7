import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createPresignedPost } from '@aws-sdk/s3-presigned-post';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { fixture } from '../../infra/local/fixture.ts';
import { functionRunners } from '../../infra/local/functions.ts';
import { type Services, startServices } from '../../infra/local/services.ts';
import { synthesize } from '../../infra/local/synth.ts';
import { apiKeyKey, knowledgeBasesOf, partitionsOf, userKey } from '../../shared/store/keys.ts';
import { deployed } from '../support/api.ts';

interface Statement {
  Action: string | string[];
}

/** Takes the statement with an action from the policy of a route's role, in the template of the API. */
function withdraw(assemblyDir: string, id: string, action: string): void {
  const [file = ''] = globSync(join(assemblyDir, '*Api*.nested.template.json'));
  const template = JSON.parse(readFileSync(file, 'utf8'));
  const [, role] =
    Object.entries<{ Properties: { Policies: { PolicyDocument: { Statement: Statement[] } }[] } }>(
      template.Resources,
    ).find(([name]) => name.startsWith(`${id.replaceAll(/[/-]/g, '')}Role`)) ?? [];
  const document = role?.Properties.Policies[0]?.PolicyDocument;
  const kept = document?.Statement.filter(({ Action }) => ![Action].flat().includes(action)) ?? [];
  expect(kept.length).toBe((document?.Statement.length ?? 0) - 1);
  if (document) document.Statement = kept;
  writeFileSync(file, JSON.stringify(template));
}

describe.skipIf(deployed)('a function on this machine', () => {
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-rights-'));
  let services: Services;
  const clients: { destroy(): void }[] = [];

  beforeAll(async () => {
    const assemblyDir = join(dir, 'assembly');
    cpSync(await synthesize(), assemblyDir, { recursive: true });
    withdraw(assemblyDir, 'assistants/create', 'dynamodb:PutItem');
    withdraw(assemblyDir, 'logs/list', 's3:ListBucket');
    mkdirSync(join(dir, 'data'), { mode: 0o755 });
    services = await startServices(join(dir, 'data'), assemblyDir);
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    await services.stop();
    rmSync(dir, { recursive: true });
  });

  const gateOf = (id: string) =>
    services.gates.endpointsOf(`voice-assistants-dev-${id.replace('/', '-')}`).AWS_ENDPOINT_URL_S3 ?? '';

  /** A client of the SDK that a function would have. */
  function as<C extends { destroy(): void }>(Client: new (settings: object) => C, id: string): C {
    const client = new Client({ endpoint: gateOf(id), region: 'us-east-1', credentials });
    clients.push(client);
    return client;
  }

  it('that lacks a right fails by its own fault, and its log says which', async () => {
    let log = '';
    const runners = functionRunners(services, (chunk) => {
      log += chunk;
    });
    const create = runners.get('voice-assistants-dev-assistants-create');
    const event = await fixture(services, 'assistants/create');
    const answer = await create?.invoke(event);
    await create?.stop();
    const body = expect.stringMatching(/"type":"internal"/);
    expect(answer).toMatchObject({ statusCode: 500, body });
    expect(JSON.stringify(answer)).not.toContain('dynamodb');
    expect(log).toContain('AccessDeniedException');
    expect(log).toMatch(
      /User: arn:aws:sts::000000000000:assumed-role\/\S+ is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:\S+ because no identity-based policy allows the dynamodb:PutItem action/,
    );
    expect(services.gates.report().refused).toContainEqual(
      expect.stringMatching(/^assistants\/create: dynamodb:PutItem on arn:/),
    );
  });

  /** Reads a row of a partition as a function would. */
  const readRow = (id: string, pk: string) =>
    as(DynamoDBClient, id).send(
      new GetItemCommand({ TableName: inject('tableName'), Key: { pk: { S: pk }, sk: { S: 'x' } } }),
    );
  const denied = { name: 'AccessDeniedException', $fault: 'client' };

  it('reads rows of the kinds that its route needs, and no others', async () => {
    for (const pk of ['USER#alice#ASSISTANTS', 'KEY#hash'])
      expect((await readRow('assistants/get', pk)).Item).toBeUndefined();
    for (const pk of ['USER#alice#CREDENTIALS', 'USER#alice#KNOWLEDGE', 'USER#alice', 'OTHER#alice#ASSISTANTS'])
      await expect(readRow('assistants/get', pk)).rejects.toMatchObject(denied);
    const unused = services.gates.report().unused.filter((right) => right.startsWith('assistants/get: '));
    expect(unused.map((right) => right.replace(/ on arn:.*/, '')).toSorted()).toEqual([
      'assistants/get: Allow dynamodb:BatchGetItem',
      'assistants/get: Allow dynamodb:BatchGetItem on rows of USER#*#KNOWLEDGE',
      'assistants/get: Allow dynamodb:UpdateItem',
      'assistants/get: Allow dynamodb:UpdateItem on rows of KEY#*',
    ]);
  });

  it('that reads documents reads their records, and nothing else of anybody', async () => {
    const owner = userKey('https://issuer.example', 'alice');
    const { pk: records } = knowledgeBasesOf(owner);
    expect((await readRow('ingest', records)).Item).toBeUndefined();
    for (const pk of [...partitionsOf(owner).filter((one) => one !== records), apiKeyKey('hash').pk])
      await expect(readRow('ingest', pk)).rejects.toMatchObject(denied);
  });

  it('writes rows of several kinds in one transaction only by one right to all', async () => {
    const TableName = inject('tableName');
    const put = (pk: string) => ({ Put: { TableName, Item: { pk: { S: pk }, sk: { S: 'x' } } } });
    const both = new TransactWriteItemsCommand({ TransactItems: [put('USER#nobody#KEYLIST'), put('KEY#nobody')] });
    await as(DynamoDBClient, 'api-keys/create').send(both);
    await expect(as(DynamoDBClient, 'credentials/upsert').send(both)).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('reaches the folder of its files, and hears of what is not there only where it may list them', async () => {
    const at = (Key: string) => ({ Bucket: inject('bucketName'), Key });
    const writer = as(S3Client, 'logs/create');
    await writer.send(new PutObjectCommand({ ...at('transcripts/ä + b'), Body: 'hello' }));
    const read = (id: string, key: string) => as(S3Client, id).send(new GetObjectCommand(at(key)));
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

  it('signs forms that store only what it may store', async () => {
    const send = async (id: string, Key: string) => {
      const { url, fields } = await createPresignedPost(as(S3Client, id), { Bucket: inject('bucketName'), Key });
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob(['hello']), 'a.txt');
      return fetch(url, { method: 'POST', body: form });
    };
    expect((await send('knowledge-bases/create-upload', 'uploads/a')).status).toBe(204);
    expect((await send('knowledge-bases/create-upload', 'transcripts/a')).status).toBe(403);
    expect((await send('knowledge-bases/get', 'uploads/a')).status).toBe(403);
  });

  it('answers no page in a browser, but for forms and the question whether they may be sent', async () => {
    const url = `${gateOf('knowledge-bases/create-upload')}/${inject('bucketName')}`;
    const origin = 'http://localhost:3000';
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-amz-target' };
    expect((await fetch(url, { method: 'OPTIONS', headers: asked })).status).toBe(200);
    const target = { 'content-type': 'multipart/form-data; boundary=x', 'x-amz-target': 'DynamoDB_20120810.GetItem' };
    const get = JSON.stringify({ TableName: inject('tableName'), Key: { pk: { S: 'USER#a' }, sk: { S: 'x' } } });
    for (const headers of [
      { ...target, origin },
      { ...target, 'sec-fetch-site': 'same-site' },
    ])
      expect((await fetch(url, { method: 'POST', headers, body: get })).status).toBe(403);
    expect((await fetch(url, { method: 'POST', headers: target, body: get })).status).toBe(400); // AccessDenied
  });

  it('keeps its data in a folder that its owner alone can read', () => {
    expect(statSync(join(dir, 'data')).mode & 0o777).toBe(0o700);
  });

  it('encrypts only with the whole context, and decrypts only where it is to', async () => {
    const [key] = services.assembly.resources('AWS::KMS::Key');
    const KeyId = `${key?.stack}-${key?.id}`;
    const Plaintext = Buffer.from('secret');
    const EncryptionContext = { user: 'alice', service: 'openai', name: 'default' };
    const [upsert, worker] = [as(KMSClient, 'credentials/upsert'), as(KMSClient, 'assistants/runtime-config')];
    const { CiphertextBlob } = await upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
    const decrypt = new DecryptCommand({ KeyId, CiphertextBlob, EncryptionContext });
    expect(Buffer.from((await worker.send(decrypt)).Plaintext ?? []).toString()).toBe('secret');
    const { name: _, ...partial } = EncryptionContext;
    for (const refused of [
      upsert.send(decrypt),
      upsert.send(new EncryptCommand({ KeyId, Plaintext })),
      upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext: partial })),
      upsert.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext: { ...EncryptionContext, more: 'x' } })),
      upsert.send(new EncryptCommand({ KeyId: 'another', Plaintext, EncryptionContext })),
    ]) {
      await expect(refused).rejects.toMatchObject({ name: 'AccessDeniedException', $fault: 'client' });
    }
  });
});
