import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';
import { ServiceError, serveJson } from './json-service.ts';

interface Input {
  KeyId?: string;
  Plaintext?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Record<string, string>;
}

const maxPlaintext = 4096;

/** Maximum size of a ciphertext, in bytes. */
const maxCiphertext = 6144;

/** Serializes the encryption context, independently of the order of its keys. */
const toContextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Returns the key id of a request, which may be an ARN. */
const parseKeyId = ({ KeyId = '' }: Input) => KeyId.slice(KeyId.lastIndexOf('/') + 1);

/**
 * Creates the operations of KMS that the service uses. Like KMS, they use AES-256-GCM and authenticate the encryption context. All keys
 * share one secret in the data folder. A ciphertext contains the length of the key id, the key id, nonce, tag and data.
 */
function createOperations(secret: Buffer) {
  return {
    Encrypt(input: Input) {
      const plaintext = Buffer.from(input.Plaintext ?? '', 'base64');
      if (plaintext.length < 1 || plaintext.length > maxPlaintext) throw new ServiceError('ValidationException');
      const id = Buffer.from(parseKeyId(input));
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      cipher.setAAD(Buffer.concat([id, toContextBytes(input.EncryptionContext)]));
      const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      const blob = Buffer.concat([Buffer.of(id.length), id, nonce, cipher.getAuthTag(), data]);
      return { KeyId: input.KeyId, CiphertextBlob: blob.toString('base64') };
    },
    Decrypt(input: Input) {
      const blob = Buffer.from(input.CiphertextBlob ?? '', 'base64');
      if (blob.length < 1 || blob.length > maxCiphertext) throw new ServiceError('ValidationException');
      const idEnd = 1 + (blob[0] ?? 0);
      const id = blob.subarray(1, idEnd);
      if (input.KeyId && parseKeyId(input) !== id.toString()) throw new ServiceError('IncorrectKeyException');
      try {
        const decipher = createDecipheriv('aes-256-gcm', secret, blob.subarray(idEnd, idEnd + 12));
        decipher.setAAD(Buffer.concat([id, toContextBytes(input.EncryptionContext)]));
        decipher.setAuthTag(blob.subarray(idEnd + 12, idEnd + 28));
        const plaintext = Buffer.concat([decipher.update(blob.subarray(idEnd + 28)), decipher.final()]);
        return { KeyId: id.toString(), Plaintext: plaintext.toString('base64') };
      } catch {
        throw new ServiceError('InvalidCiphertextException');
      }
    },
  };
}

/** Loads the secret of a data folder, and generates it on first use. */
function loadSecret(dataDir: string): Buffer {
  const file = join(dataDir, 'kms.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}

/** Starts a KMS with the operations that the service uses. npm has no emulator of KMS. */
export const startKms = (dataDir: string): Promise<Emulator> =>
  serveJson('TrentService.', createOperations(loadSecret(dataDir)));
