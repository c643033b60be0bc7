import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { isUploadForm } from '../request-check.ts';

/** Operation of a request to S3. Names are those of S3's API, with `PostObject` for forms. */
export interface Operation {
  name: string;
  bucket: string;
  key: string;
  /** Prefix of a list, or null. */
  prefix: string | null;
}

const objectMethods: Record<string, string> = {
  GET: 'GetObject',
  HEAD: 'GetObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
};

/** Parameters of requests to objects: those of signatures and checksums, and headers of the response. */
const objectParameters =
  /^(?:x-id|response-content-[a-z]+|x-amz-(?:algorithm|checksum-[a-z0-9]+|content-sha256|credential|date|expires|sdk-checksum-algorithm|security-token|signature|signedheaders))$/i;
/** Headers of S3 that no parameter may set. Others, such as `x-amz-acl`, need permissions that the proxies of functions do not check. */
const objectHeaders = /^x-amz-(?:copy-source|decoded-content-length|meta-.+|trailer|user-agent)$/;
const listParameters =
  /^(?:x-id|list-type|prefix|delimiter|encoding-type|max-keys|continuation-token|fetch-owner|start-after)$/;
const versionParameters = /^(?:x-id|versions|prefix|delimiter|encoding-type|max-keys|key-marker|version-id-marker)$/;

const isOfferedHeader = (name: string): boolean =>
  !name.startsWith('x-amz-') || objectParameters.test(name) || objectHeaders.test(name);

/** Returns the operation of a request to an object. s3rver copies `x-amz-*` parameters into headers, so only known ones may pass. */
function nameObjectOperation(method: string, names: string[], isCopy: boolean): string | undefined {
  const others = names.filter((name) => !objectParameters.test(name));
  if (method === 'GET' && `${others}` === 'versionId') return 'GetObjectVersion';
  if (others.length > 0) return undefined;
  return isCopy && method === 'PUT' ? 'CopyObject' : objectMethods[method];
}

/** Returns the operation of a request to a bucket. */
function nameBucketOperation(request: RequestHead, names: string[]): string | undefined {
  const hasOnly = (known: RegExp) => names.every((name) => known.test(name));
  if (request.method === 'GET' && names.includes('versions'))
    return hasOnly(versionParameters) ? 'ListObjectVersions' : undefined;
  if (request.method === 'GET') return hasOnly(listParameters) ? 'ListObjects' : undefined;
  if (isUploadForm(request)) return 'PostObject';
  return request.method === 'POST' && hasOnly(/^(?:x-id|delete)$/) && names.includes('delete')
    ? 'DeleteObjects'
    : undefined;
}

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Returns the operation of a request, or undefined if the local S3 does not support it. s3rver supports more, such as changes of a bucket's
 * settings and uploads in parts, and parses some unusual addresses differently from the permission proxies.
 */
export function parseOperation(request: RequestHead): Operation | undefined {
  const { method = '', url = '', headers } = request;
  const [, bucket = '', key = '', , search = ''] = /^\/([^/?]*)(?:\/([^?]*))?(\?(.*))?$/s.exec(url) ?? [];
  if (!/^[!-~]+$/.test(url) || url.includes('#') || !bucket) return undefined;
  if (!Object.keys(headers).every(isOfferedHeader)) return undefined;
  const parameters = parse(search); // as s3rver does
  const names = Object.keys(parameters);
  if (!Object.values(parameters).every((value) => typeof value === 'string')) return undefined; // given twice
  const isCopy = headers['x-amz-copy-source'] !== undefined;
  const name = key === '' ? nameBucketOperation(request, names) : nameObjectOperation(method, names, isCopy);
  const prefix = typeof parameters.prefix === 'string' ? parameters.prefix : null;
  try {
    return name === undefined ? undefined : { name, bucket, key: decodeURIComponent(key), prefix };
  } catch {
    return undefined; // the key is no URL-encoded UTF-8
  }
}
