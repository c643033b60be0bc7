import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Emulator, serve } from './emulator.ts';

interface Input {
  KeyId?: string;
  Plaintext?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Record<string, string>;
}

/** An error of KMS, by its own name. */
class KmsError extends Error {}

const maxPlaintext = 4096;

/** The encryption context, whatever the order of its keys. */
const contextBytes = (context: Record<string, string> = {}) =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

/** The key that a request means: an id, or the end of an ARN. */
const keyId = ({ KeyId = '' }: Input) => KeyId.slice(KeyId.lastIndexOf('/') + 1);

/**
 * The operations of KMS that the service uses, by AES-256-GCM with the encryption context authenticated, as KMS does.
 * The one secret lies in the data folder; a ciphertext names its key: length, key id, nonce, tag, data.
 */
function operations(secret: Buffer): Record<string, (input: Input) => object> {
  return {
    Encrypt(input) {
      const plaintext = Buffer.from(input.Plaintext ?? '', 'base64');
      if (plaintext.length < 1 || plaintext.length > maxPlaintext) throw new KmsError('ValidationException');
      const id = Buffer.from(keyId(input));
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      cipher.setAAD(Buffer.concat([id, contextBytes(input.EncryptionContext)]));
      const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
      const blob = Buffer.concat([Buffer.of(id.length), id, nonce, cipher.getAuthTag(), data]);
      return { KeyId: input.KeyId, CiphertextBlob: blob.toString('base64') };
    },
    Decrypt(input) {
      const blob = Buffer.from(input.CiphertextBlob ?? '', 'base64');
      const idEnd = 1 + (blob[0] ?? 0);
      const id = blob.subarray(1, idEnd);
      if (input.KeyId && keyId(input) !== id.toString()) throw new KmsError('IncorrectKeyException');
      try {
        const decipher = createDecipheriv('aes-256-gcm', secret, blob.subarray(idEnd, idEnd + 12));
        decipher.setAAD(Buffer.concat([id, contextBytes(input.EncryptionContext)]));
        decipher.setAuthTag(blob.subarray(idEnd + 12, idEnd + 28));
        const plaintext = Buffer.concat([decipher.update(blob.subarray(idEnd + 28)), decipher.final()]);
        return { KeyId: id.toString(), Plaintext: plaintext.toString('base64') };
      } catch {
        throw new KmsError('InvalidCiphertextException');
      }
    },
  };
}

/** The secret of this data folder, made on first use. */
function secretOf(dataDir: string): Buffer {
  const file = join(dataDir, 'kms.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}

/** KMS, as far as the service uses it (there is no emulator to be had from npm). */
export async function startKms(dataDir: string): Promise<Emulator> {
  const known = operations(secretOf(dataDir));
  return serve(async (request, response) => {
    const name = String(request.headers['x-amz-target']).replace('TrentService.', '');
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    try {
      const input = JSON.parse((await buffer(request)).toString());
      const operation = known[name];
      if (!operation) throw new KmsError('UnknownOperationException');
      answer(200, operation(input));
    } catch (error) {
      answer(400, { __type: error instanceof KmsError ? error.message : 'SerializationException' });
    }
  });
}
