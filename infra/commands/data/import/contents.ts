import { zstdDecompressSync } from 'node:zlib';
import { DecryptCommand } from '@aws-sdk/client-kms';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import { openIndex } from '../../../../shared/search/open.ts';
import { isInFolder } from '../../../../shared/store/files/folders.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { Kind } from '../deployment/kinds.ts';
import type { Row } from '../deployment/row.ts';

const unpack = (bytes: Uint8Array | undefined): unknown =>
  JSON.parse(zstdDecompressSync(bytes ?? new Uint8Array()).toString());

/** Throws unless the bytes are a stored transcript (shared/store/sessions/transcripts.ts). */
function validateTranscript(bytes: Uint8Array | undefined): void {
  if (!Array.isArray((unpack(bytes) as { items?: unknown }).items)) throw new Error('It has no items');
}

/** Validators of the packed attributes, by kind of row. They throw if an attribute cannot be read. */
const validators: { [K in Kind]?: (row: Row) => void } = {
  assistant: ({ settings }) => void JSON.parse(settings?.S ?? ''),
  transcript: ({ inline }) => validateTranscript(inline?.B),
  'idempotency record': ({ answer }) => void unpack(answer?.B),
  version: ({ content }) => void unpack(content?.B),
  event: ({ data }) => void JSON.parse(data?.S ?? ''),
};

function succeeds(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** True if the packed attributes of a row can be read. */
export const isReadable = (kind: Kind, row: Row): boolean => succeeds(() => validators[kind]?.(row));

/** True if a transcript or search index can be read. Also true for other files, and for one that no longer exists. */
export async function isReadableFile({ s3, bucket }: Deployment, owner: string, path: string): Promise<boolean> {
  const isTranscript = isInFolder(path, 'transcripts', owner);
  if (!isTranscript && !isInFolder(path, 'passages', owner)) return true;
  const bytes = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: path })).then(
    ({ Body }) => Body?.transformToByteArray(),
    (error) => {
      if (!(error instanceof NoSuchKey)) throw error;
    },
  );
  return bytes === undefined || succeeds(() => (isTranscript ? validateTranscript(bytes) : void openIndex(bytes)));
}

/** Returns the encrypted parts of a row, and the context that they were encrypted with (shared/store/secrets.ts). */
function getSecrets(owner: string, kind: Kind, row: Row): { context: Record<string, string>; secrets: Uint8Array[] } {
  if (kind === 'credential')
    return {
      context: { user: owner, service: row.service_type?.S ?? '', name: row.name?.S ?? '' },
      secrets: [row.secret?.B ?? new Uint8Array()],
    };
  if (kind !== 'webhook') return { context: {}, secrets: [] };
  const headers = row.sealed_headers?.B;
  return {
    context: { user: owner, webhook: row.id?.S ?? '' },
    secrets: [row.signing_keys?.B ?? new Uint8Array(), ...(headers ? [headers] : [])],
  };
}

/** Errors of KMS at a secret of another key or context, or a damaged one. An empty or too long one is a `ValidationException`. */
const undecryptable = new Set(['IncorrectKeyException', 'InvalidCiphertextException', 'ValidationException']);

/** True if the secrets of a row decrypt with the encryption context of the row. Also true for a row without any. */
export async function isDecryptable({ kms, key }: Deployment, owner: string, kind: Kind, row: Row): Promise<boolean> {
  const { context: EncryptionContext, secrets } = getSecrets(owner, kind, row);
  try {
    for (const CiphertextBlob of secrets)
      await kms.send(new DecryptCommand({ KeyId: key, CiphertextBlob, EncryptionContext }));
    return true;
  } catch (error) {
    if (undecryptable.has((error as Error).name)) return false;
    throw error;
  }
}
