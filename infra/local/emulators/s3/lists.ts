import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';

/** The used part of s3rver's store, which keeps an object in three files. */
export interface ObjectStore {
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
}

/** The used part of a request context of Koa, the framework of s3rver. */
interface KoaRequest {
  method: string;
  url: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Node's request. s3rver pipes it into its form parser. */
  req: IncomingMessage | { pipe(parser: Writable): unknown };
  status: number;
  body: unknown;
}
/** Runs a task when no other one changes folders: a list of a folder fails if one in it disappears. */
export type InTurn = <T>(task: () => Promise<T>) => Promise<T>;

export type Middleware = (request: KoaRequest, next: () => Promise<void>) => Promise<void>;

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
};

/** Lists the keys that start with the prefix, sorted. Reads only the folder of the prefix. */
async function listKeys(store: ObjectStore, bucket: string, prefix: string): Promise<string[]> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const suffix = basename(store.getResourcePath(bucket, folder, 'object'));
  const files = await readdir(dirname(store.getResourcePath(bucket, folder, 'object')), { recursive: true }).catch(
    ignoreMissing,
  );
  return (files ?? [])
    .filter((file) => file.endsWith(suffix))
    .map((file) => `${folder}${file.slice(0, -suffix.length)}`)
    .filter((key) => key.startsWith(prefix))
    .toSorted();
}

/** Reads an entry of a list. Returns undefined if the object has been deleted since. */
async function readEntry(store: ObjectStore, bucket: string, key: string) {
  const [stats, md5] = await Promise.all([
    stat(store.getResourcePath(bucket, key, 'object')).catch(ignoreMissing),
    readFile(store.getResourcePath(bucket, key, 'object.md5'), 'utf8').catch(ignoreMissing),
  ]);
  if (!stats || !md5) return undefined;
  return { Key: key, LastModified: stats.mtime.toISOString(), ETag: `"${md5}"`, Size: stats.size };
}

/**
 * Creates a middleware that answers lists instead of s3rver. s3rver has no ListObjectVersions. The middleware answers it like S3 for an
 * unversioned bucket, where each object has one version with the id `null`. s3rver cannot return the second page of ListObjectsV2 either,
 * because it encrypts the token with a cipher that OpenSSL 3 lacks, and its lists fail if an object is deleted meanwhile.
 */
export const createListMiddleware =
  (store: ObjectStore, inTurn: InTurn): Middleware =>
  async (request, next) => {
    const { versions, 'list-type': type, delimiter, prefix = '', 'max-keys': max = '1000' } = request.query;
    const listsVersions = versions !== undefined;
    if (request.method !== 'GET' || (!listsVersions && (type !== '2' || delimiter))) return next();
    const { 'key-marker': marker, 'start-after': start, 'continuation-token': token } = request.query;
    // The continuation token is the last key.
    const after = (listsVersions ? marker : (token ?? start)) ?? '';
    const bucket = request.path.replaceAll('/', '');
    const keys = (await inTurn(() => listKeys(store, bucket, prefix))).filter((key) => key > after);
    const page = keys.slice(0, Number(max));
    const isTruncated = keys.length > page.length;
    const last = isTruncated ? page.at(-1) : undefined;
    const entries = (await Promise.all(page.map((key) => readEntry(store, bucket, key)))).filter(
      (one) => one !== undefined,
    );
    request.body = listsVersions
      ? {
          ListVersionsResult: {
            IsTruncated: isTruncated,
            NextKeyMarker: last,
            NextVersionIdMarker: isTruncated ? 'null' : undefined,
            Version: entries.map((entry) => ({ ...entry, VersionId: 'null', IsLatest: true })),
          },
        }
      : {
          ListBucketResult: {
            IsTruncated: isTruncated,
            NextContinuationToken: last,
            KeyCount: entries.length,
            Contents: entries,
          },
        };
  };
