import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { toSavedCredential } from '../../shared/domain/credential.ts';
import { Conflict } from '../../shared/errors.ts';
import { toCredentialKey } from '../../shared/store/table/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const credentials = await import('../../shared/store/credentials/credentials.ts');
const { encrypt } = await import('../../shared/store/secrets.ts');

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const kms = new KMSClient({});

async function storeCredential(owner: string, service: string, apiKey: string): Promise<Uint8Array> {
  await credentials.upsert(owner, service, 'n', async (existing) => {
    const credential = toSavedCredential(existing, { service_type: service, name: 'n', api_key: apiKey });
    return { credential, secret: await encrypt(apiKey, { user: owner, service, name: 'n' }), extraWrites: [] };
  });
  const Key = toCredentialKey(owner, service, 'n');
  const { Item } = await table.send(new GetCommand({ TableName: inject('tableName'), Key }));
  return Item?.secret;
}

const decrypt = (CiphertextBlob: Uint8Array, EncryptionContext: Record<string, string>) =>
  kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));

describe('a stored key', () => {
  it('decrypts only with its own user, service and name', async () => {
    const owner = randomUUID();
    const secret = await storeCredential(owner, 's', 'sk-secret');
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
  it('throws a conflict if every try loses to another writer', async () => {
    const owner = randomUUID();
    await storeCredential(owner, 's', 'first');
    const losing = credentials.upsert(owner, 's', 'other', async () => {
      const credential = toSavedCredential(undefined, { service_type: 's', name: 'n', api_key: 'second' }); // taken by another id
      return { credential, secret: new Uint8Array(1), extraWrites: [] };
    });
    await expect(losing).rejects.toThrow(Conflict);
  });
});
