import { describe, expect, it } from 'vitest';
import { deedsOf, placeOf, serviceOf } from '../../infra/local/deeds.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const partitionKeys = new Map([
  [table, 'pk'],
  [`${table}/index/by-room`, 'by-room'],
]);

const posted = (target: string, input: object) =>
  deedsOf(
    { method: 'POST', path: '/', headers: { 'x-amz-target': target } },
    Buffer.from(JSON.stringify(input)),
    partitionKeys,
  );
const onTable = (operation: string, input: object) =>
  posted(`DynamoDB_20120810.${operation}`, { TableName: 't', ...input });
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });
const leading = (...keys: string[]) => ({ 'dynamodb:LeadingKeys': keys });

describe('a request to DynamoDB', () => {
  it.each(['GetItem', 'DeleteItem'])('is an action on the row of its key: %s', async (operation) => {
    expect(await onTable(operation, { Key: key('a') })).toEqual([
      { action: `dynamodb:${operation}`, resource: table, context: leading('a') },
    ]);
  });

  it('that stores is one on the row of its item', async () => {
    expect(await onTable('PutItem', { Item: { ...key('a'), n: { N: '1' } } })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, context: leading('a') },
    ]);
  });

  it('that reads many names all their rows', async () => {
    const input = { RequestItems: { t: { Keys: [key('a'), key('b'), key('a')] } } };
    expect(await onTable('BatchGetItem', input)).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: table, context: leading('a', 'b') },
    ]);
  });

  it('that queries names the partition, of an index too', async () => {
    const query = {
      KeyConditionExpression: 'begins_with(sk, :from) AND #pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' }, ':from': { S: 'b' } },
    };
    expect(await onTable('Query', { ...query, ExpressionAttributeNames: { '#pk': 'pk' } })).toEqual([
      { action: 'dynamodb:Query', resource: table, context: leading('a') },
    ]);
    const byRoom = { ...query, IndexName: 'by-room', ExpressionAttributeNames: { '#pk': 'by-room' } };
    expect(await onTable('Query', byRoom)).toEqual([
      { action: 'dynamodb:Query', resource: `${table}/index/by-room`, context: leading('a') },
    ]);
    const elsewhere = { ...query, ExpressionAttributeNames: { '#pk': 'other' } };
    expect((await onTable('Query', elsewhere))[0]?.context).toEqual({});
  });

  it('that writes all or nothing needs a right for each part, over the keys of all parts', async () => {
    const TransactItems = [
      { Put: { TableName: 't', Item: key('a') } },
      { Update: { TableName: 't', Key: key('b'), UpdateExpression: 'REMOVE c' } },
      { Delete: { TableName: 't', Key: key('d') } },
      { ConditionCheck: { TableName: 't', Key: key('e'), ConditionExpression: 'attribute_exists(pk)' } },
    ];
    expect(await onTable('TransactWriteItems', { TransactItems })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, context: leading('a', 'b', 'd', 'e') },
      {
        action: 'dynamodb:UpdateItem',
        resource: table,
        context: { ...leading('b', 'a', 'd', 'e'), 'dynamodb:Attributes': ['pk', 'sk', 'c'] },
      },
      { action: 'dynamodb:DeleteItem', resource: table, context: leading('d', 'a', 'b', 'e') },
      { action: 'dynamodb:ConditionCheckItem', resource: table, context: leading('e', 'a', 'b', 'd') },
    ]);
  });

  it.each<[string, string, string[]]>([
    ['SET a = :a, #b = if_not_exists(#b, :zero) + :one', 'attribute_exists(pk)', ['a', 'by-room']],
    ['SET a.deep.#b = list_append(c[0].x, :set) REMOVE d[1]', '', ['a', 'c', 'd']],
    ['add e :e DELETE f :f', 'g = :g AND (h IN (:h, :i) OR NOT size(j) BETWEEN :x AND :y)', ['e', 'f', 'g', 'h', 'j']],
    ['SET added = :a, settings = :s', 'contains(notes, :n)', ['added', 'settings', 'notes']],
  ])('that updates touches the attributes of its expressions: %s if %s', async (update, condition, names) => {
    const input = { Key: key('a'), UpdateExpression: update, ExpressionAttributeNames: { '#b': 'by-room' } };
    const [deed] = await onTable('UpdateItem', { ...input, ...(condition && { ConditionExpression: condition }) });
    expect(deed?.context['dynamodb:Attributes']).toEqual(['pk', 'sk', ...names]);
  });
});

describe('a request to KMS', () => {
  const resource = 'arn:aws:kms:us-east-1:000000000000:key/k';

  it.each(['k', resource])('is an action on its key, in its context: %s', async (KeyId) => {
    expect(await posted('TrentService.Encrypt', { KeyId, EncryptionContext: { user: 'a', name: 'b' } })).toEqual([
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
    expect(await posted('TrentService.Decrypt', { KeyId })).toEqual([{ action: 'kms:Decrypt', resource, context: {} }]);
  });
});

describe('a request to S3', () => {
  const asked = (method: string, path: string, headers: Record<string, string> = {}, body = Buffer.alloc(0)) =>
    deedsOf({ method, path, headers }, body, partitionKeys);

  it.each([
    ['GET', '/b/uploads/%C3%A4%20+/c?x-id=GetObject', 's3:GetObject', 'b/uploads/ä +/c'],
    ['HEAD', '/b/c', 's3:GetObject', 'b/c'],
    ['PUT', '/b/../c?x-id=PutObject', 's3:PutObject', 'b/../c'],
    ['DELETE', '/b/c', 's3:DeleteObject', 'b/c'],
    ['GET', '/b', 's3:ListBucket', 'b'],
    ['GET', '/b/?list-type=2', 's3:ListBucket', 'b'],
  ])('is told by method and path: %s %s', async (method, path, action, resource) => {
    expect(await asked(method, path)).toEqual([{ action, resource: `arn:aws:s3:::${resource}`, context: {} }]);
  });

  it.each([
    ['GET', '/b/c?tagging', {}],
    ['PUT', '/b/c?acl=', {}],
    ['PUT', '/b/c', { 'x-amz-copy-source': '/b/d' }],
    ['PATCH', '/b/c', {}],
  ])('that is none of those is an action that no policy may name: %s %s', async (method, path, headers) => {
    const [deed] = await asked(method, path, headers);
    expect(deed?.action).toMatch(/^s3:(GET|PUT|PATCH)/);
  });

  it('with a form stores what the form names', async () => {
    const form = new FormData();
    form.set('key', 'uploads/a');
    form.set('file', new Blob(['x']));
    const { headers, body } = new Response(form);
    const bytes = Buffer.from(await new Response(body).arrayBuffer());
    const type = { 'content-type': headers.get('content-type') ?? '' };
    expect(await asked('POST', '/b', type, bytes)).toEqual([
      { action: 's3:PutObject', resource: 'arn:aws:s3:::b/uploads/a', context: {} },
    ]);
    expect(await asked('POST', '/b', type)).toMatchObject([{ resource: 'arn:aws:s3:::b/' }]);
  });

  it('is told from those to other services', () => {
    expect(serviceOf({})).toBe('S3');
    expect(serviceOf({ 'x-amz-target': 'TrentService.Encrypt' })).toBe('KMS');
    expect(serviceOf({ 'x-amz-target': 'DynamoDB_20120810.GetItem' })).toBe('DYNAMODB');
    expect(placeOf('/b')).toEqual({ bucket: 'b', key: '' });
  });
});

describe('a request to SQS', () => {
  it('is an action on the queue that its address ends in', async () => {
    expect(
      await posted('AmazonSQS.SendMessage', { QueueUrl: 'http://127.0.0.1/000000000000/q', MessageBody: '' }),
    ).toEqual([{ action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:000000000000:q', context: {} }]);
  });
});
