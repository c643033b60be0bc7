import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import { begun, exportUser } from '../../infra/data/exporter.ts';
import type { Manifest } from '../../infra/data/folder.ts';
import type { Place } from '../../infra/data/place.ts';
import { keyOf, lineOf, rowOf } from '../../infra/data/row.ts';
import { createTable } from '../../infra/local/emulators/dynamodb.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer.ts';
import { userKey } from '../../shared/store/keys.ts';

const issuer = (await LocalIssuer.open(inject('dataDir'))).url;

/** The local host's data, through other addresses where given. A request that fails is not tried again. */
export function placeAt({ dynamoDb = inject('dynamoDb'), s3 = inject('s3'), kms = inject('kms') } = {}): Place {
  const common = { region: 'us-east-1', credentials, maxAttempts: 1 };
  return {
    name: 'the tests',
    table: inject('tableName'),
    bucket: inject('bucketName'),
    issuer,
    key: 'test-key',
    dynamoDb: new DynamoDBClient({ ...common, endpoint: dynamoDb }),
    s3: new S3Client({ ...common, endpoint: s3 }),
    kms: new KMSClient({ ...common, endpoint: kms }),
    scrub: () => {},
    close: async () => {},
  };
}

/** A user whom no other test knows. */
export function somebody(): { user: string; owner: string } {
  const user = `user-${randomUUID()}`;
  return { user, owner: userKey(issuer, user) };
}

export const silent = (): void => {};

/** Exports a user whole. */
export const exported = (place: Place, dir: string, user: string): Promise<Manifest> =>
  exportUser(place, dir, begun(place, userKey(place.issuer, user), user), silent);

/** All that the table and the bucket hold of somebody, found without knowing where to look: rows by their key, files by their path. */
export async function everythingOf(owner: string): Promise<Record<string, string>> {
  const { dynamoDb, s3, table, bucket } = placeAt();
  const found: Record<string, string> = {};
  for await (const { Items = [] } of paginateScan({ client: dynamoDb }, { TableName: table })) {
    for (const row of Items) {
      const { pk, sk } = keyOf(row);
      if (lineOf(row).includes(owner)) found[`${pk} ${sk}`] = lineOf(row);
    }
  }
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket })) {
    for (const { Key = '' } of Contents.filter((one) => one.Key?.includes(owner))) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
      const bytes = (await Body?.transformToByteArray()) ?? '';
      found[Key] = createHash('sha256').update(bytes).digest('hex');
    }
  }
  return found;
}

/** Makes a table that has only what these users have, as a restored one may. Returns its name, and how many rows it has. */
export async function copyTable(owners: string[]): Promise<{ table: string; rows: number }> {
  const table = `restored-${randomUUID()}`;
  const names = ['pk', 'sk'] as const;
  await createTable(
    inject('dynamoDb'),
    {
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    },
    undefined,
  );
  const everything = await Promise.all(owners.map(everythingOf));
  const lines = everything.flatMap((found) => Object.values(found)).filter((line) => line.startsWith('{'));
  const { dynamoDb } = placeAt();
  for (const line of lines) await dynamoDb.send(new PutItemCommand({ TableName: table, Item: rowOf(line) }));
  return { table, rows: lines.length };
}
