import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import type { Emulator } from './emulator.ts';

interface StoredObject {
  bucket: string;
  key: string;
  content: Buffer | Readable;
  metadata: object;
}

/** What s3rver calls to keep objects in its folder. */
interface Store {
  getResourcePath(bucket: string, key: string, resource: string): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>;
  deleteObject(bucket: string, key: string): Promise<void>;
}

/**
 * Makes s3rver keep objects as S3 does: whole or not at all. Its own way answers before the file is written, and dies where
 * a folder goes, being empty, while another request writes into it.
 */
function makeAtomic(store: Store): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    const path = store.getResourcePath(bucket, key, 'object');
    const unfinished = `${path}-${randomUUID()}`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
    const md5 = createHash('md5').update(bytes).digest('hex');
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
  store.deleteObject = async (bucket, key) => {
    const parts = ['object', 'object.md5', 'metadata.json'].map((part) => store.getResourcePath(bucket, key, part));
    await Promise.all(parts.map((path) => rm(path, { force: true })));
  };
}

/** S3, kept in a folder. An address by number, so that the SDK puts the bucket into the path. */
export async function startS3(dataDir: string, buckets: string[]): Promise<Emulator> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: join(dataDir, 's3'),
    silent: true,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  makeAtomic((server as unknown as { store: Store }).store);
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
