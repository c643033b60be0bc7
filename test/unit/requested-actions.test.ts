import { describe, expect, it } from 'vitest';
import { detectService, listAccessRequests } from '../../infra/local/iam/requested-actions.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const partitionKeys = new Map([
  [table, 'pk'],
  [`${table}/index/by-room`, 'by-room'],
]);

const listPostRequests = (target: string, input: object) =>
  listAccessRequests(
    { method: 'POST', path: '/', headers: { 'x-amz-target': target } },
    Buffer.from(JSON.stringify(input)),
    partitionKeys,
  );
const listTableRequests = (operation: string, input: object) =>
  listPostRequests(`DynamoDB_20120810.${operation}`, { TableName: 't', ...input });
const toKey = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const toLeadingKeys = (...keys: string[]) => ({ 'dynamodb:LeadingKeys': keys });

describe('a request to DynamoDB', () => {
  it.each(['GetItem', 'DeleteItem'])('needs its action on the row of its key: %s', async (operation) => {
    expect(await listTableRequests(operation, { Key: toKey('a') })).toEqual([
      { action: `dynamodb:${operation}`, resource: table, context: toLeadingKeys('a') },
    ]);
  });

  it('to put an item needs PutItem on the row of the item', async () => {
    expect(await listTableRequests('PutItem', { Item: { ...toKey('a'), n: { N: '1' } } })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, context: toLeadingKeys('a') },
    ]);
  });

  it('to read a batch needs BatchGetItem on all rows', async () => {
    const input = { RequestItems: { t: { Keys: [toKey('a'), toKey('b'), toKey('a')] } } };
    expect(await listTableRequests('BatchGetItem', input)).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: table, context: toLeadingKeys('a', 'b') },
    ]);
  });

  it('to query needs Query on the partition, of the table or an index', async () => {
    const query = {
      KeyConditionExpression: 'begins_with(sk, :from) AND #pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ':from': { S: 'b' } },
    };
    expect(await listTableRequests('Query', { ...query, ExpressionAttributeNames: { '#pk': 'pk' } })).toEqual([
      { action: 'dynamodb:Query', resource: table, context: toLeadingKeys('a') },
    ]);
    const byRoom = { ...query, IndexName: 'by-room', ExpressionAttributeNames: { '#pk': 'by-room' } };
    expect(await listTableRequests('Query', byRoom)).toEqual([
      { action: 'dynamodb:Query', resource: `${table}/index/by-room`, context: toLeadingKeys('a') },
    ]);
    const elsewhere = { ...query, ExpressionAttributeNames: { '#pk': 'other' } };
    expect((await listTableRequests('Query', elsewhere))[0]?.context).toEqual({});
  });

  it('needs the keys of what the operation reads, and none that is beside it', async () => {
    const beside = { Key: toKey('mine') };
    expect((await listTableRequests('PutItem', { ...beside, Item: toKey('theirs') }))[0]?.context).toEqual(
      toLeadingKeys('theirs'),
    );
    const values = { ExpressionAttributeValues: { ':pk': { S: 'theirs' } } };
    const query = { ...beside, ...values, KeyConditionExpression: 'pk = :pk' };
    expect((await listTableRequests('Query', query))[0]?.context).toEqual(toLeadingKeys('theirs'));
    expect((await listTableRequests('Query', { ...query, KeyConditionExpression: ':pk = pk' }))[0]?.context).toEqual(
      {},
    );
  });

  it.each([
    ...['AttributeUpdates', 'Expected', 'KeyConditions', 'QueryFilter'].map((legacy) => ({ [legacy]: {} })),
    { UpdateExpression: 'SET #é = :o', ExpressionAttributeNames: { '#é': 'owner' } },
    { UpdateExpression: 'SET #a-b = :o', ExpressionAttributeNames: { '#a-b': 'owner' } },
    { ConditionExpression: 'a'.repeat(5_000) },
    { KeyConditionExpression: ':theirs = pk AND x. pk = :mine' },
  ])('with unusual parameters needs an action that no policy can grant: %j', async (unusual) => {
    const [access] = await listTableRequests('UpdateItem', { Key: toKey('a'), ...unusual });
    expect(access?.action).toBe('dynamodb:UpdateItem with unusual parameters');
  });

  it('to query needs the keys of all equations of the partition key', async () => {
    const values = { ExpressionAttributeValues: { ':mine': { S: 'mine' }, ':theirs': { S: 'theirs' } } };
    const listKeys = async (KeyConditionExpression: string) =>
      (await listTableRequests('Query', { ...values, KeyConditionExpression }))[0]?.context;
    expect(await listKeys('pk = :mine AND pk=:theirs')).toEqual(toLeadingKeys('mine', 'theirs'));
    expect(await listKeys(':theirs = pk')).toEqual({});
  });

  it('to update a row needs its attributes, also by names that begin with a digit', async () => {
    const named = { UpdateExpression: 'SET #1 = :o', ExpressionAttributeNames: { '#1': 'owner' } };
    const [access] = await listTableRequests('UpdateItem', { Key: toKey('a'), ...named });
    expect(access?.context['dynamodb:Attributes']).toEqual(['pk', 'sk', 'owner']);
  });

  it('to write a transaction needs the action of each part, on the keys of all parts', async () => {
    const TransactItems = [
      { Put: { TableName: 't', Item: toKey('a') } },
      { Update: { TableName: 't', Key: toKey('b'), UpdateExpression: 'REMOVE c' } },
      { Delete: { TableName: 't', Key: toKey('d') } },
      { ConditionCheck: { TableName: 't', Key: toKey('e'), ConditionExpression: 'attribute_exists(pk)' } },
    ];
    expect(await listTableRequests('TransactWriteItems', { TransactItems })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, context: toLeadingKeys('a', 'b', 'd', 'e') },
      {
        action: 'dynamodb:UpdateItem',
        resource: table,
        context: { ...toLeadingKeys('b', 'a', 'd', 'e'), 'dynamodb:Attributes': ['pk', 'sk', 'c'] },
      },
      { action: 'dynamodb:DeleteItem', resource: table, context: toLeadingKeys('d', 'a', 'b', 'e') },
      { action: 'dynamodb:ConditionCheckItem', resource: table, context: toLeadingKeys('e', 'a', 'b', 'd') },
    ]);
  });

  it.each<[string, string, string[]]>([
    ['SET a = :a, #b = if_not_exists(#b, :zero) + :one', 'attribute_exists(pk)', ['a', 'by-room']],
    ['SET a.deep.#b = list_append(c[0].x, :set) REMOVE d[1]', '', ['a', 'c', 'd']],
    ['add e :e DELETE f :f', 'g = :g AND (h IN (:h, :i) OR NOT size(j) BETWEEN :x AND :y)', ['e', 'f', 'g', 'h', 'j']],
    ['SET#b=:o ADD e:e', '', ['by-room', 'e']],
    ['SET a[0].#b = :a, b . c = :b', '', ['a', 'b']],
    ['SET added = :a, settings = :s', 'contains(notes, :n)', ['added', 'settings', 'notes']],
  ])('to update needs the attributes of its expressions: %s if %s', async (update, condition, names) => {
    const input = { Key: toKey('a'), UpdateExpression: update, ExpressionAttributeNames: { '#b': 'by-room' } };
    const [request] = await listTableRequests('UpdateItem', {
      ...input,
      ...(condition && { ConditionExpression: condition }),
    });
    expect(request?.context['dynamodb:Attributes']).toEqual(['pk', 'sk', ...names]);
  });
});

describe('a request to KMS', () => {
  const resource = 'arn:aws:kms:us-east-1:000000000000:key/k';

  it.each(['k', resource])('needs its action on the KMS key, with its encryption context: %s', async (KeyId) => {
    expect(
      await listPostRequests('TrentService.Encrypt', { KeyId, EncryptionContext: { user: 'a', name: 'b' } }),
    ).toEqual([
      {
        action: 'kms:Encrypt',
        resource,
        context: {
          'kms:EncryptionContext:user': ['a'],
          'kms:EncryptionContext:name': ['b'],
          'kms:EncryptionContextKeys': ['user', 'name'],
        },
      },
    ]);
    expect(await listPostRequests('TrentService.Decrypt', { KeyId })).toEqual([
      { action: 'kms:Decrypt', resource, context: {} },
    ]);
  });
});

describe('a request to S3', () => {
  const listS3Requests = (method: string, path: string, headers: Record<string, string> = {}, body = Buffer.alloc(0)) =>
    listAccessRequests({ method, path, headers }, body, partitionKeys);

  it.each([
    ['GET', '/b/uploads/%C3%A4%20+/c?x-id=GetObject', 's3:GetObject', 'b/uploads/ä +/c'],
    ['HEAD', '/b/c', 's3:GetObject', 'b/c'],
    ['PUT', '/b/../c?x-id=PutObject', 's3:PutObject', 'b/../c'],
    ['DELETE', '/b/c', 's3:DeleteObject', 'b/c'],
    ['GET', '/b', 's3:ListBucket', 'b'],
    ['GET', '/b/?list-type=2', 's3:ListBucket', 'b'],
  ])('needs the action of its method and path: %s %s', async (method, path, action, resource) => {
    expect(await listS3Requests(method, path)).toEqual([{ action, resource: `arn:aws:s3:::${resource}`, context: {} }]);
  });

  it('to list objects has the prefix as context', async () => {
    expect(await listS3Requests('GET', '/b/?list-type=2&prefix=a%2F%C3%A4')).toEqual([
      { action: 's3:ListBucket', resource: 'arn:aws:s3:::b', context: { 's3:prefix': ['a/ä'] } },
    ]);
  });

  it.each([
    ['GET', '/b/c?tagging', {}],
    ['PUT', '/b/c?acl=', {}],
    ['PUT', '/b/c', { 'x-amz-copy-source': '/b/d' }],
    ['PUT', '/b/c', { 'x-amz-acl': 'public-read' }],
    ['PUT', '/b/c', { 'x-amz-grant-read': 'id=1' }],
    ['PUT', '/b/c', { 'x-amz-tagging': 'a=b' }],
    ['PUT', '/b/c', { 'x-amz-object-lock-mode': 'GOVERNANCE' }],
    ['DELETE', '/b/c', { 'x-amz-bypass-governance-retention': 'true' }],
    ['PATCH', '/b/c', {}],
    ['DELETE', '/b/?prefix=a', {}],
    ['PUT', '/b?cors=1&prefix=a', {}],
    ['GET', '/b?cors=1&prefix=a', {}],
    ['GET', '/b?prefix=a&x-id=b?&cors', {}],
    ['PUT', '/b/c?tagging=1', {}],
    ['POST', '/b?delete=1', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['POST', '/b?x=1', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['PUT', '/b/c?x-amz-copy-source=/b/d', {}],
    ['PUT', '/b/c?uploadId=..%2f..&partNumber=1', {}],
    ['GET', '/b?list-type=2#&prefix=a', {}],
    ['GET', '/b?list-type=2&prefix=a&prefix=', {}],
    ['GET', '/b??prefix=a', {}],
    ['GET', `/b?list-type=2${'&x-id=1'.repeat(1_000)}&prefix=a`, {}],
    ['GET', 'http://127.0.0.1/b/c', {}],
    ['GET', '/b/%ff', {}],
  ])('of another kind needs an action that no policy can grant: %s %s %j', async (method, path, headers) => {
    const [request] = await listS3Requests(method, path, headers);
    expect(request?.action).toMatch(/^s3:(GET|PUT|PATCH|POST|DELETE)/);
  });

  it('to upload a form needs PutObject on the key in the form', async () => {
    const form = new FormData();
    form.set('key', 'uploads/a');
    form.set('file', new Blob(['x']));
    const { headers, body } = new Response(form);
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    const type = { 'content-type': headers.get('content-type') ?? '' };
    expect(await listS3Requests('POST', '/b', type, bytes)).toEqual([
      { action: 's3:PutObject', resource: 'arn:aws:s3:::b/uploads/a', context: {} },
    ]);
    expect(await listS3Requests('POST', '/b', type)).toMatchObject([{ resource: 'arn:aws:s3:::b/' }]);
  });

  it('is distinguished from those to other services', () => {
    expect(detectService({})).toBe('S3');
    expect(detectService({ 'x-amz-target': 'TrentService.Encrypt' })).toBe('KMS');
    expect(detectService({ 'x-amz-target': 'DynamoDB_20120810.GetItem' })).toBe('DYNAMODB');
  });
});

describe('a request to SQS', () => {
  it('to send a batch needs SendMessage on the queue at the end of its URL', async () => {
    expect(
      await listPostRequests('AmazonSQS.SendMessageBatch', {
        QueueUrl: 'http://127.0.0.1/000000000000/q',
        Entries: [],
      }),
    ).toEqual([{ action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:q', context: {} }]);
  });
});
