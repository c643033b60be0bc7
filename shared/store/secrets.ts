import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';
import { env } from '../env.ts';
import { Unavailable } from '../errors.ts';
import { meter } from '../meter.ts';
import { attempt, patience } from './attempt.ts';
import { prime } from './prime.ts';

const KeyId = env('KMS_KEY_ID');
const client = new KMSClient(patience);
prime(client, () => client.send(new DecryptCommand({ KeyId, CiphertextBlob: Buffer.from('-') })), {
  Plaintext: 'LQ==',
});

/** What a ciphertext is bound to: it decrypts only for the same user, service and name. */
export interface SecretContext {
  user: string;
  service: string;
  name: string;
}

/** Encrypts a key of 1 to 4,096 bytes by KMS. One round trip. */
export async function encrypt(secret: string, context: SecretContext): Promise<Uint8Array> {
  meter.keyRequests += 1;
  const { CiphertextBlob } = await attempt(() =>
    client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from(secret), EncryptionContext: { ...context } })),
  );
  return CiphertextBlob as Uint8Array;
}

/** A key that was encrypted under this context; undefined where it does not decrypt. One round trip. Throws Unavailable. */
export async function decrypt(secret: Uint8Array, context: SecretContext): Promise<string | undefined> {
  meter.keyRequests += 1;
  try {
    const { Plaintext } = await attempt(() =>
      client.send(new DecryptCommand({ KeyId, CiphertextBlob: secret, EncryptionContext: { ...context } })),
    );
    return Buffer.from(Plaintext ?? []).toString();
  } catch (cause) {
    if (cause instanceof InvalidCiphertextException || cause instanceof IncorrectKeyException) return undefined;
    // Our rights or the state of the key, and not this credential: that passes, and users should not mend it.
    throw cause instanceof Unavailable ? cause : new Unavailable({ cause });
  }
}
