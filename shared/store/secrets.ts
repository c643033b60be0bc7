import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms';
import { env } from '../env.ts';
import { Unavailable } from '../errors.ts';
import { meter } from '../telemetry/meter.ts';
import { clientOptions, tryAwsCall } from './table/aws-call.ts';
import { prime } from './table/prime.ts';

const KeyId = env('KMS_KEY_ID');
const client = new KMSClient(clientOptions);
prime(client, () => client.send(new DecryptCommand({ KeyId, CiphertextBlob: Buffer.from('-') })), {
  Plaintext: 'LQ==',
});

/** KMS encryption context of a vendor's key, or of a webhook. A ciphertext only decrypts for the same values. */
export type SecretContext = { user: string; service: string; name: string } | { user: string; webhook: string };

/** Encrypts a secret of 1 to 4,096 bytes with KMS. One round trip. */
export async function encrypt(secret: string, context: SecretContext): Promise<Uint8Array> {
  meter.keyRequests += 1;
  const { CiphertextBlob } = await tryAwsCall(() =>
    client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.from(secret), EncryptionContext: { ...context } })),
  );
  return CiphertextBlob as Uint8Array;
}

/**
 * Decrypts a secret. Undefined if it was encrypted under another context or KMS key. One round trip. Throws Unavailable.
 */
export async function decrypt(secret: Uint8Array, context: SecretContext): Promise<string | undefined> {
  meter.keyRequests += 1;
  try {
    const { Plaintext } = await tryAwsCall(() =>
      client.send(new DecryptCommand({ KeyId, CiphertextBlob: secret, EncryptionContext: { ...context } })),
    );
    return Buffer.from(Plaintext ?? []).toString();
  } catch (cause) {
    if (cause instanceof InvalidCiphertextException || cause instanceof IncorrectKeyException) return undefined;
    // Caused by our permissions or the state of the KMS key, so users must not be asked to save it again.
    throw cause instanceof Unavailable ? cause : new Unavailable({ cause });
  }
}
