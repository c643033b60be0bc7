import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { env } from '../env.ts';
import { attempt, patience } from './attempt.ts';

const KeyId = env('KMS_KEY_ID');
const client = new KMSClient(patience);

/** What a ciphertext is bound to: it decrypts only for the same user, service and name. */
export interface SecretContext {
  user: string;
  service: string;
  name: string;
}

/** Encrypts a key of 1 to 4,096 bytes by KMS. One round trip. */
export async function encrypt(secret: string, context: SecretContext): Promise<Uint8Array> {
  const { CiphertextBlob } = await attempt(() =>
    client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from(secret), EncryptionContext: { ...context } })),
  );
  return CiphertextBlob as Uint8Array;
}
