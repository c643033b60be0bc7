import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { env } from '../env.ts';
import { Unavailable } from '../errors.ts';
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

/** A key that was encrypted under this context; undefined where it does not decrypt. One round trip. Throws Unavailable. */
export async function decrypt(secret: Uint8Array, context: SecretContext): Promise<string | undefined> {
  try {
    const { Plaintext } = await attempt(() =>
      client.send(new DecryptCommand({ KeyId, CiphertextBlob: secret, EncryptionContext: { ...context } })),
    );
    return Buffer.from(Plaintext ?? []).toString();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    // It is damaged, of another row, or of a key that is disabled. Logged, since only an operator can mend it.
    console.error({ error: 'A credential cannot be decrypted', name: error instanceof Error ? error.name : undefined });
    return undefined;
  }
}
