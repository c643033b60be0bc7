import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

interface StoredObject {
  key: string;
  size: number;
  lastModifiedDate: Date;
  metadata: { etag: string };
}

/** The part of s3rver's store that lists the objects in its folder, sorted by key. */
export interface ObjectStore {
  listObjects(
    bucket: string,
    options: { prefix: string; startAfter: string; maxKeys: number },
  ): Promise<{ isTruncated?: boolean; objects: StoredObject[] }>;
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
export type Middleware = (request: KoaRequest, next: () => Promise<void>) => Promise<void>;

const toEntry = ({ key, size, lastModifiedDate, metadata }: StoredObject) => ({
  Key: key,
  LastModified: lastModifiedDate.toISOString(),
  ETag: metadata.etag,
  Size: size,
});

/**
 * Creates a middleware that answers lists instead of s3rver. s3rver has no ListObjectVersions. The middleware answers it like S3 for an
 * unversioned bucket, where each object has one version with the id `null`. s3rver also cannot return the second page of ListObjectsV2,
 * because it encrypts the token with a cipher that OpenSSL 3 lacks.
 */
export const createListMiddleware =
  (store: ObjectStore): Middleware =>
  async (request, next) => {
    const { versions, 'list-type': type, delimiter, prefix = '', 'max-keys': max = '1000' } = request.query;
    const listsVersions = versions !== undefined;
    if (!listsVersions && (type !== '2' || delimiter)) return next();
    const { 'key-marker': marker, 'start-after': after, 'continuation-token': token } = request.query;
    const { objects, isTruncated = false } = await store.listObjects(request.path.replaceAll('/', ''), {
      prefix,
      // The continuation token is the last key.
      startAfter: (listsVersions ? marker : (token ?? after)) ?? '',
      maxKeys: Number(max),
    });
    const last = isTruncated ? objects.at(-1)?.key : undefined;
    request.body = listsVersions
      ? {
          ListVersionsResult: {
            IsTruncated: isTruncated,
            NextKeyMarker: last,
            NextVersionIdMarker: isTruncated ? 'null' : undefined,
            Version: objects.map((one) => ({ ...toEntry(one), VersionId: 'null', IsLatest: true })),
          },
        }
      : {
          ListBucketResult: {
            IsTruncated: isTruncated,
            NextContinuationToken: last,
            KeyCount: objects.length,
            Contents: objects.map(toEntry),
          },
        };
  };
