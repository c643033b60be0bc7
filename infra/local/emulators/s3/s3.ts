import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { limitConcurrency } from '../../../../shared/limit-concurrency.ts';
import type { Emulator } from '../emulator.ts';
import { isAllowed, isPreflight, isUploadForm } from '../request-check.ts';
import { createListMiddleware, type Middleware, type ObjectStore } from './lists.ts';
import { createFormQueue, readObjectBody } from './object-body.ts';
import { parseOperation } from './operation.ts';
import { S3Error } from './s3-error.ts';
import { checkForm, readForm } from './upload-form.ts';

/** A stored object, for its EventBridge event. */
export interface CreatedObject {
  bucket: string;
  key: string;
  /** In bytes. */
  size: number;
  etag: string;
  /** Operation that stored it: `PutObject`, `POST Object` or `CopyObject`. */
  reason: string;
}

/** A bucket with its configurations, in the XML of S3's API. */
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

/** The used part of s3rver's store, which keeps objects in a folder. */
interface Store extends ObjectStore {
  getBucketPath(bucket: string): string;
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: StoredObject): Promise<{ size: number; md5: string }>;
  deleteObject(bucket: string, key: string): Promise<void>;
}

/** Files in which s3rver keeps an object. The last one makes the object exist. */
const resources = ['metadata.json', 'object.md5', 'object'];

/** Folder beside the buckets, for objects that are being written. */
const unfinished = 'unfinished';

/** Removes the empty parent folders of a deleted object within its bucket, because their names contain ids of users and documents. */
async function removeEmptyFolders(file: string, bucketFolder: string): Promise<void> {
  for (let folder = dirname(file); folder !== bucketFolder; folder = dirname(folder)) {
    const isRemoved = await rmdir(folder).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

const toFolder = (dataDir: string) => join(dataDir, 's3');

/**
 * Deletes the rest of objects that a host was storing or deleting when it was killed: files without their object, and empty folders. Takes a
 * second for 15,000 objects.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  const dir = toFolder(dataDir);
  await mkdir(dir, { recursive: true });
  const paths = new Set(await readdir(dir, { recursive: true }));
  const parents = new Set([...paths].map(dirname));
  for (const path of paths) {
    const isFile = path.includes('._S3rver_');
    if (isFile ? paths.has(path.replace(/(?:object[.]md5|metadata[.]json)$/, 'object')) : parents.has(path)) continue;
    if (isFile) await rm(join(dir, path));
    await removeEmptyFolders(join(dir, path, isFile ? '' : 'object'), dir);
  }
}

/**
 * Makes s3rver store objects atomically, as S3 does. s3rver itself answers before it has written the files, lets other requests read half
 * of them, and crashes if it deletes an empty folder while another request writes into it. Returns a function that waits until the current
 * object is stored or deleted, and lets no other follow.
 */
function makeAtomic(store: Store): () => Promise<void> {
  const inTurn = limitConcurrency(1);
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
    const md5 = createHash('md5').update(bytes).digest('hex');
    const id = randomUUID();
    await mkdir(dirname(store.getResourcePath(unfinished, id, 'object')), { recursive: true });
    await writeFile(store.getResourcePath(unfinished, id, 'object'), bytes);
    await store.putMetadata(unfinished, id, metadata, md5);
    await inTurn(async () => {
      await mkdir(dirname(store.getResourcePath(bucket, key, 'object')), { recursive: true });
      for (const resource of resources)
        await rename(store.getResourcePath(unfinished, id, resource), store.getResourcePath(bucket, key, resource));
    });
    return { size: bytes.length, md5 };
  };
  store.deleteObject = (bucket, key) =>
    inTurn(async () => {
      for (const resource of resources.toReversed())
        await rm(store.getResourcePath(bucket, key, resource), { force: true });
      await removeEmptyFolders(store.getResourcePath(bucket, key, 'object'), store.getBucketPath(bucket));
    });
  return () =>
    new Promise((resolve) => {
      inTurn(() => {
        resolve();
        return new Promise(() => {});
      });
    });
}

/** Makes s3rver reject dot segments, which could leave its folder or the key prefix of a policy. Its methods then throw S3Error. */
function confine(store: Store): void {
  const check = (name: string) => {
    if (name.split(/[/\\]/).some((part) => part === '..' || part === '.'))
      throw new S3Error(400, 'InvalidURI', 'A bucket or key must not contain the path segments . or ..');
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

/** Rejects operations that are not offered, and requests that pages, webhooks and tools may not send. Answers every S3Error in the format of S3. */
const checkRequest: Middleware = async (request, next) => {
  try {
    if (!isAllowed(request))
      throw new S3Error(
        403,
        'AccessDenied',
        'Pages may send only signed forms from this machine. Webhooks and tools may send nothing',
      );
    if (!isPreflight(request) && !parseOperation(request))
      throw new S3Error(501, 'NotImplemented', 'The local S3 does not offer this operation');
    await next();
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    request.status = error.status;
    request.body = { Error: { Code: error.code, Message: error.message } };
  }
};

/**
 * Creates a middleware that deletes the objects of a request one after the other, so that the writes and deletions of other requests wait
 * for one of them, and not for a thousand.
 */
function deleteOneByOne(store: Store): Middleware {
  return (request, next) => {
    const inTurn = limitConcurrency(1);
    const deleteObject: Store['deleteObject'] = (bucket, key) => inTurn(() => store.deleteObject(bucket, key));
    request.store = Object.assign(Object.create(store), { deleteObject });
    return next();
  };
}

/** Buffers the bodies of objects and XML up to the maximum size. s3rver itself has no limit. */
const bufferBodies: Middleware = async (request, next) => {
  if (['PUT', 'POST'].includes(request.method) && !isUploadForm(request))
    request.req = Readable.from([await readObjectBody(request.req as IncomingMessage)]);
  return next();
};

/** Creates a middleware that lets forms wait, unread, while others are in memory. */
function queueForms(): Middleware {
  const inTurn = createFormQueue();
  return (request, next) => (isUploadForm(request) ? inTurn(request.req as IncomingMessage, next) : next());
}

/**
 * Checks forms, because s3rver does not. Replaces the request body by the checked form, or by a stream that fails with the S3Error. s3rver
 * reads the body only after it has set the CORS headers, so pages can read the error.
 */
const checkForms: Middleware = async (request, next) => {
  if (!isUploadForm(request)) return next();
  try {
    const form = await readForm(request.req as IncomingMessage);
    checkForm(form, request.path.replaceAll('/', ''));
    const checked = new FormData();
    for (const [name, value] of form.fields) checked.set(name, value);
    checked.set('file', form.file);
    const encoded = new Response(checked);
    request.headers['content-type'] = encoded.headers.get('content-type') ?? '';
    request.req = Readable.from([Buffer.from(await encoded.arrayBuffer())]);
  } catch (error) {
    request.req = { pipe: (parser: Writable) => parser.emit('error', error) };
  }
  return next();
};

/** The event that s3rver emits after a request. */
interface S3rverEvent {
  Records: [
    { eventName: string; s3: { bucket: { name: string }; object: { key: string; size: number; eTag?: string } } },
  ];
}

/** S3's reasons by s3rver's event names. All other events create no object. */
const reasons: Record<string, string> = {
  'ObjectCreated:Put': 'PutObject',
  'ObjectCreated:Post': 'POST Object',
  'ObjectCreated:Copy': 'CopyObject',
};

/**
 * Starts S3 on a folder. Its address is numeric, so that the SDK puts the bucket into the path. `onCreated` runs for each stored object
 * before the client gets its response. If it throws, the response is a 500.
 */
export async function startS3(
  dataDir: string,
  buckets: BucketConfig[],
  onCreated: (object: CreatedObject) => void,
): Promise<Emulator> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory: toFolder(dataDir),
    silent: true,
    configureBuckets: buckets,
  });
  const { store } = server as unknown as { store: Store };
  await rm(store.getBucketPath(unfinished), { recursive: true, force: true });
  const stopWrites = makeAtomic(store);
  confine(store);
  // Inserts them before the last middleware, which handles the requests. The earlier ones convert responses to XML.
  (server as unknown as { middleware: Middleware[] }).middleware.splice(
    -1,
    0,
    checkRequest,
    createListMiddleware(store),
    deleteOneByOne(store),
    bufferBodies,
    queueForms(),
    checkForms,
  );
  const events = server as unknown as { on(name: 'event', listener: (event: S3rverEvent) => void): void };
  events.on('event', ({ Records: [{ eventName, s3 }] }) => {
    const reason = reasons[eventName];
    if (!reason) return;
    const { name: bucket } = s3.bucket;
    const { key, size, eTag } = s3.object;
    // s3rver does not report the ETag of a copy.
    const etag = eTag ?? readFileSync(store.getResourcePath(bucket, key, 'object.md5'), 'utf8');
    onCreated({ bucket, key, size, etag, reason });
  });
  const { port } = await server.run();
  const stop = async () => {
    const closed = server.close();
    (server as unknown as { httpServer: Server }).httpServer.closeAllConnections(); // an open one without a request would keep it waiting
    await closed;
    await stopWrites();
  };
  return { endpoint: `http://127.0.0.1:${port}`, stop };
}
