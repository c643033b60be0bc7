import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { isUploadForm, isWelcome } from './door.ts';
import type { Emulator } from './emulator.ts';
import { Refusal } from './refusal.ts';
import { type Listing, lists, type Middleware } from './s3-lists.ts';
import { checkForm, readForm } from './upload-form.ts';

/** An object that has been stored, as EventBridge is told of it. */
export interface CreatedObject {
  bucket: string;
  key: string;
  /** In bytes. */
  size: number;
  etag: string;
  /** How it came to be: `PutObject`, `POST Object` or `CopyObject`. */
  reason: string;
}

/** A bucket, and what it is configured by, as S3's API has it. */
export interface BucketConfig {
  name: string;
  configs: string[];
}

interface StoredObject {
  bucket: string;
  key: string;
  content: Buffer | Readable;
  metadata: object;
}

/** What s3rver calls to keep objects in its folder. */
interface Store extends Listing {
  getBucketPath(bucket: string): string;
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
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

/** Keeps s3rver inside its folder, and keys inside what a policy says of their beginning: `..` leads nowhere. Throws Refusal. */
function confine(store: Store): void {
  const check = (name: string) => {
    if (name.split(/[/\\]/).some((part) => part === '..' || part === '.'))
      throw new Refusal(400, 'InvalidURI', 'A bucket or a key may have no part that is . or ..');
  };
  const bucketPath = store.getBucketPath.bind(store);
  store.getBucketPath = (bucket) => {
    check(bucket);
    return bucketPath(bucket);
  };
  const resourcePath = store.getResourcePath.bind(store);
  store.getResourcePath = (bucket, key = '', resource) => {
    check(`${bucket}/${key}`);
    return resourcePath(bucket, key, resource);
  };
}

/** Refuses what pages may not send, and words all refusals as S3 does. */
const refusals: Middleware = async (request, next) => {
  try {
    if (!isWelcome(request)) throw new Refusal(403, 'AccessDenied', 'A page may send a signed form, and nothing else');
    await next();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    request.status = error.status;
    request.body = { Error: { Code: error.code, Message: error.message } };
  }
};

/**
 * Checks forms, which s3rver does not. It then reads what was checked, written anew, or meets the refusal, once it has said which
 * page may read the answer (CORS).
 */
const forms: Middleware = async (request, next) => {
  if (!isUploadForm(request)) return next();
  try {
    const form = await readForm(request.req as IncomingMessage);
    checkForm(form, request.path.replaceAll('/', ''));
    const checked = new FormData();
    for (const [name, value] of form.fields) checked.set(name, value);
    checked.set('file', form.file);
    const written = new Response(checked);
    request.headers['content-type'] = written.headers.get('content-type') ?? '';
    request.req = Readable.from([Buffer.from(await written.arrayBuffer())]);
  } catch (error) {
    request.req = { pipe: (parser: Writable) => parser.emit('error', error) };
  }
  return next();
};

/** What s3rver says of a request that is done. */
interface S3rverEvent {
  Records: [
    { eventName: string; s3: { bucket: { name: string }; object: { key: string; size: number; eTag?: string } } },
  ];
}

/** S3's reasons by s3rver's names of events; what is not here creates nothing. */
const reasons: Record<string, string> = {
  'ObjectCreated:Put': 'PutObject',
  'ObjectCreated:Post': 'POST Object',
  'ObjectCreated:Copy': 'CopyObject',
};

/**
 * S3, kept in a folder. An address by number, so that the SDK puts the bucket into the path. `created` hears of each object
 * once it is stored whole and before the client does; where it throws, the client hears 500.
 */
export async function startS3(
  dataDir: string,
  buckets: BucketConfig[],
  created: (object: CreatedObject) => void,
): Promise<Emulator> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: join(dataDir, 's3'),
    silent: true,
    configureBuckets: buckets,
  });
  const { store } = server as unknown as { store: Store };
  makeAtomic(store);
  confine(store);
  // Before its last layer, which knows the requests; the ones before it write what is answered as XML.
  (server as unknown as { middleware: Middleware[] }).middleware.splice(-1, 0, refusals, lists(store), forms);
  const events = server as unknown as { on(name: 'event', listener: (event: S3rverEvent) => void): void };
  events.on('event', ({ Records: [{ eventName, s3 }] }) => {
    const reason = reasons[eventName];
    if (!reason) return;
    const { name: bucket } = s3.bucket;
    const { key, size, eTag } = s3.object;
    // Of a copy s3rver does not tell the tag.
    const etag = eTag ?? readFileSync(store.getResourcePath(bucket, key, 'object.md5'), 'utf8');
    created({ bucket, key, size, etag, reason });
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, stop: () => server.close() };
}
