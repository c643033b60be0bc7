import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';

interface StoredObject {
  key: string;
  size: number;
  lastModifiedDate: Date;
  metadata: { etag: string };
}

/** By what s3rver lists the objects in its folder, in the order of their keys. */
export interface Listing {
  listObjects(
    bucket: string,
    options: { prefix: string; startAfter: string; maxKeys: number },
  ): Promise<{ isTruncated?: boolean; objects: StoredObject[] }>;
}

/** As much as is used here of Koa, on which s3rver is built. */
interface Request {
  method: string;
  url: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The request as Node has it. s3rver pipes it into its parser of forms. */
  req: IncomingMessage | { pipe(parser: Writable): unknown };
  status: number;
  body: unknown;
}
export type Middleware = (request: Request, next: () => Promise<void>) => Promise<void>;

const told = ({ key, size, lastModifiedDate, metadata }: StoredObject) => ({
  Key: key,
  LastModified: lastModifiedDate.toISOString(),
  ETag: metadata.etag,
  Size: size,
});

/**
 * Answers lists in the place of s3rver: ListObjectVersions, which it does not know, as S3 does of a bucket that keeps no versions
 * (each object has one, which is called null), and ListObjectsV2, whose second page it cannot give, since it makes the token by a
 * cipher that OpenSSL 3 has no more.
 */
export const lists =
  (store: Listing): Middleware =>
  async (request, next) => {
    const { versions, 'list-type': type, delimiter, prefix = '', 'max-keys': max = '1000' } = request.query;
    const isOfVersions = versions !== undefined;
    if (!isOfVersions && (type !== '2' || delimiter)) return next();
    const { 'key-marker': marker, 'start-after': after, 'continuation-token': token } = request.query;
    const { objects, isTruncated = false } = await store.listObjects(request.path.replaceAll('/', ''), {
      prefix,
      // Our token is the last key itself.
      startAfter: (isOfVersions ? marker : (token ?? after)) ?? '',
      maxKeys: Number(max),
    });
    const last = isTruncated ? objects.at(-1)?.key : undefined;
    request.body = isOfVersions
      ? {
          ListVersionsResult: {
            IsTruncated: isTruncated,
            NextKeyMarker: last,
            NextVersionIdMarker: isTruncated ? 'null' : undefined,
            Version: objects.map((one) => ({ ...told(one), VersionId: 'null', IsLatest: true })),
          },
        }
      : {
          ListBucketResult: {
            IsTruncated: isTruncated,
            NextContinuationToken: last,
            KeyCount: objects.length,
            Contents: objects.map(told),
          },
        };
  };
