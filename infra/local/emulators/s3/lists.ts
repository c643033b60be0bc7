import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { limitConcurrency } from '../../../../shared/limit-concurrency.ts';

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
  /** The store that s3rver uses for this request. */
  store: ObjectStore;
  status: number;
  body: unknown;
}

export type Middleware = (request: KoaRequest, next: () => Promise<void>) => Promise<void>;

const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
};

/** Maximum number of folders or entries that one list reads at once: Node reads files in four threads, which all requests share. */
const maxReads = 8;

/**
 * Lists the keys that start with the prefix, sorted. Reads only the folder of the prefix. Skips folders that are deleted meanwhile, which
 * makes a recursive `readdir` fail. Does not wait for writes, nor do they wait for it: there may be a hundred thousand folders.
 */
async function listKeys(store: ObjectStore, bucket: string, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  const folders = [prefix.slice(0, prefix.lastIndexOf('/') + 1)];
  const readFolder = async (folder: string) => {
    const file = store.getResourcePath(bucket, folder, 'object');
    const suffix = basename(file);
    const entries = await readdir(dirname(file), { withFileTypes: true }).catch(ignoreMissing);
    for (const entry of entries ?? []) {
      const path = `${folder}${entry.name}`;
      if (!path.startsWith(prefix)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (path.endsWith(suffix)) keys.push(path.slice(0, -suffix.length));
    }
  };
  while (folders.length > 0) await Promise.all(folders.splice(-maxReads).map(readFolder));
  return keys.filter((key) => key.startsWith(prefix)).sort();
}

/** Keys of a list that has more pages. */
interface UnfinishedList {
  bucket: string;
  prefix: string;
  keys: string[];
}

/** Limits of the lists whose keys are kept for their next pages, so that not every page reads all folders. */
const keptLists = { max: 8, ttl: 60_000 };

/** Where a page starts: after a key, in a list that an earlier page has read. */
interface PageStart {
  listId?: string;
  after?: string;
}

/** Parses the start of a page. Only a page that follows another one has the id of a list. */
function parseStart(query: Record<string, string>): PageStart {
  if (query.versions !== undefined) return { listId: query['version-id-marker'], after: query['key-marker'] };
  const [, listId, after = query['start-after']] = /^([^/]*)\/(.*)$/s.exec(query['continuation-token'] ?? '') ?? [];
  return { listId, after };
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
export function createListMiddleware(store: ObjectStore): Middleware {
  const unfinished = new LRUCache<string, UnfinishedList>(keptLists);
  return async (request, next) => {
    const { versions, 'list-type': type, delimiter, prefix = '', 'max-keys': max = '1000' } = request.query;
    const listsVersions = versions !== undefined;
    if (request.method !== 'GET' || (!listsVersions && (type !== '2' || delimiter))) return next();
    const bucket = request.path.replaceAll('/', '');
    const { listId, after = '' } = parseStart(request.query);
    const kept = unfinished.get(listId ?? '');
    const isNext = kept?.bucket === bucket && kept.prefix === prefix;
    const all = isNext ? kept.keys : await listKeys(store, bucket, prefix);
    const id = isNext && listId ? listId : randomUUID();
    const keys = all.filter((key) => key > after);
    const page = keys.slice(0, Number(max));
    const isTruncated = page.length > 0 && keys.length > page.length;
    if (isTruncated) unfinished.set(id, { bucket, prefix, keys: all });
    else unfinished.delete(id);
    const last = isTruncated ? page.at(-1) : undefined;
    const someAtOnce = limitConcurrency(maxReads);
    const read = await Promise.all(page.map((key) => someAtOnce(() => readEntry(store, bucket, key))));
    const entries = read.filter((one) => one !== undefined);
    request.body = listsVersions
      ? {
          ListVersionsResult: {
            IsTruncated: isTruncated,
            NextKeyMarker: last,
            NextVersionIdMarker: isTruncated ? id : undefined,
            Version: entries.map((entry) => ({ ...entry, VersionId: 'null', IsLatest: true })),
          },
        }
      : {
          ListBucketResult: {
            IsTruncated: isTruncated,
            NextContinuationToken: isTruncated ? `${id}/${last}` : undefined,
            KeyCount: entries.length,
            Contents: entries,
          },
        };
  };
}
