import { zstdDecompressSync } from 'node:zlib';
import { DecryptCommand, IncorrectKeyException, InvalidCiphertextException } from '@aws-sdk/client-kms';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import { openIndex } from '../../shared/search/open.ts';
import { pathOf } from '../../shared/store/folders.ts';
import type { Kind } from './kinds.ts';
import type { Place } from './place.ts';
import type { Row } from './row.ts';

const unpacked = (bytes: Uint8Array | undefined): unknown =>
  JSON.parse(zstdDecompressSync(bytes ?? new Uint8Array()).toString());

/** A transcript as it is kept (shared/store/transcripts.ts). */
function readTranscript(bytes: Uint8Array | undefined): void {
  if (!Array.isArray((unpacked(bytes) as { items?: unknown }).items)) throw new Error('It has no items');
}

/** What is packed in rows of a kind. Each throws where it cannot be read. */
const readers: { [K in Kind]?: (row: Row) => void } = {
  assistant: ({ settings }) => void JSON.parse(settings?.S ?? ''),
  transcript: ({ inline }) => readTranscript(inline?.B),
  'remembered answer': ({ answer }) => void unpacked(answer?.B),
};

function canBe(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Whether what is packed in a row can be read. */
export const isReadable = (kind: Kind, row: Row): boolean => canBe(() => readers[kind]?.(row));

/** Whether a file can be read: a transcript, or what is searched of a document. True of one that is gone. */
export async function isReadableFile({ s3, bucket }: Place, owner: string, path: string): Promise<boolean> {
  const isIn = (folder: 'transcripts' | 'passages') => path.startsWith(pathOf(folder, owner));
  if (!isIn('transcripts') && !isIn('passages')) return true;
  const bytes = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: path })).then(
    ({ Body }) => Body?.transformToByteArray(),
    (error) => {
      if (!(error instanceof NoSuchKey)) throw error;
    },
  );
  return bytes === undefined || canBe(() => (isIn('transcripts') ? readTranscript(bytes) : void openIndex(bytes)));
}

/** Whether the key of a credential decrypts, under the context that it was encrypted for (shared/store/secrets.ts). */
export async function isDecryptable({ kms, key }: Place, owner: string, row: Row): Promise<boolean> {
  const EncryptionContext = { user: owner, service: row.service_type?.S ?? '', name: row.name?.S ?? '' };
  try {
    await kms.send(new DecryptCommand({ KeyId: key, CiphertextBlob: row.secret?.B, EncryptionContext }));
    return true;
  } catch (error) {
    if (error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException) return false;
    throw error;
  }
}
