import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { inject } from 'vitest';
import type { Deployment } from '../../infra/commands/data/deployment/deployment.ts';
import { parseRow, serializeRow, toKey } from '../../infra/commands/data/deployment/row.ts';
import type { Manifest } from '../../infra/commands/data/export/export-folder.ts';
import { createManifest, exportUser } from '../../infra/commands/data/export/exporter.ts';
import { createTable } from '../../infra/local/emulators/dynamodb.ts';
import { credentials } from '../../infra/local/emulators/emulator.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';

const issuer = (await LocalIssuer.open(inject('dataDir'))).url;

/** Returns the local host as a deployment. Clients of other endpoints than its own, such as those of faulty proxies, do not retry. */
export function createDeployment(endpoints: { dynamoDb?: string; s3?: string } = {}): Deployment {
  const configure = (own: string, other?: string) => ({
    region: 'us-east-1',
    credentials,
    endpoint: other ?? own,
    ...(other !== undefined && { maxAttempts: 1 }),
  });
  return {
    name: 'the tests',
    table: inject('tableName'),
    bucket: inject('bucketName'),
    issuer,
    key: 'test-key',
    dynamoDb: new DynamoDBClient(configure(inject('dynamoDb'), endpoints.dynamoDb)),
    s3: new S3Client(configure(inject('s3'), endpoints.s3)),
    kms: new KMSClient(configure(inject('kms'))),
    elsewhere: 'nowhere',
    scrub: () => {},
    close: async () => {},
  };
}

/** Returns a new user name with its owner key. */
export function createOwner(): { user: string; owner: string } {
  const user = `user-${randomUUID()}`;
  return { user, owner: toUserKey(issuer, user) };
}

export const ignoreProgress = (): void => {};

/** Exports all data of a user. */
export const exportWholeUser = (place: Deployment, dir: string, user: string): Promise<Manifest> =>
  exportUser(place, dir, createManifest(place, toUserKey(place.issuer, user), user), ignoreProgress);

/**
 * Finds everything in the table and bucket that contains an owner key, without knowledge of the data model. Returns rows by key and
 * digests of files by path.
 */
export async function findStoredData(owner: string): Promise<Record<string, string>> {
  const { dynamoDb, s3, table, bucket } = createDeployment();
  const found: Record<string, string> = {};
  for await (const { Items = [] } of paginateScan({ client: dynamoDb }, { TableName: table })) {
    for (const row of Items) {
      const { pk, sk } = toKey(row);
      if (serializeRow(row).includes(owner)) found[`${pk} ${sk}`] = serializeRow(row);
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

/** Creates a table with only the rows of these owners, like a restored backup. Returns its name and number of rows. */
export async function copyTable(owners: string[]): Promise<{ table: string; rows: number }> {
  const table = `restored-${randomUUID()}`;
  const names = ['pk', 'sk'] as const;
  await createTable(inject('dynamoDb'), {
    TableName: table,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' })),
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  });
  const everything = await Promise.all(owners.map(findStoredData));
  const lines = everything.flatMap((found) => Object.values(found)).filter((line) => line.startsWith('{'));
  const { dynamoDb } = createDeployment();
  for (const line of lines) await dynamoDb.send(new PutItemCommand({ TableName: table, Item: parseRow(line) }));
  return { table, rows: lines.length };
}
