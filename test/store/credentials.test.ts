import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { saved } from '../../shared/domain/credential.ts';
import { Conflict } from '../../shared/errors.ts';
import { credentialKey } from '../../shared/store/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const credentials = await import('../../shared/store/credentials.ts');
const { encrypt } = await import('../../shared/store/secrets.ts');

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const kms = new KMSClient({});

async function stored(owner: string, service: string, apiKey: string): Promise<Uint8Array> {
  await credentials.upsert(owner, service, 'n', async (existing) => {
    const credential = saved(existing, { service_type: service, name: 'n', api_key: apiKey });
    return { credential, secret: await encrypt(apiKey, { user: owner, service, name: 'n' }), also: [] };
  });
  const Key = credentialKey(owner, service, 'n');
  const { Item } = await table.send(new GetCommand({ TableName: inject('tableName'), Key }));
  return Item?.secret;
}

const decrypt = (CiphertextBlob: Uint8Array, EncryptionContext: Record<string, string>) =>
  kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));

describe('a stored key', () => {
  it('decrypts under its own user, service and name, and under no other', async () => {
    const owner = randomUUID();
    const secret = await stored(owner, 's', 'sk-secret');
    const context = { user: owner, service: 's', name: 'n' };
    const { Plaintext } = await decrypt(secret, context);
    expect(Buffer.from(Plaintext ?? []).toString()).toBe('sk-secret');
    for (const foreign of [{ user: 'other' }, { service: 't' }, { name: 'm' }]) {
      await expect(decrypt(secret, { ...context, ...foreign })).rejects.toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
    await expect(decrypt(secret, {})).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });
});

describe('an upsert', () => {
  it('gives up as a conflict when it always meets another writer', async () => {
    const owner = randomUUID();
    await stored(owner, 's', 'first');
    const losing = credentials.upsert(owner, 's', 'other', async () => {
      const credential = saved(undefined, { service_type: 's', name: 'n', api_key: 'second' }); // taken by another id
      return { credential, secret: new Uint8Array(1), also: [] };
    });
    await expect(losing).rejects.toThrow(Conflict);
  });
});
