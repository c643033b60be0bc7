import type { IncomingHttpHeaders } from 'node:http';
import { isUploadForm } from '../emulators/request-check.ts';
import { parseForm } from '../emulators/s3/upload-form.ts';
import { toArn } from '../template.ts';
import type { AccessRequest } from './policy.ts';
import { listTableAccessRequests, type PartitionKeys } from './table-actions.ts';

interface KmsInput {
  KeyId?: string;
  EncryptionContext?: Record<string, string>;
}

function toKeyAccess(operation: string, { KeyId = '', EncryptionContext = {} }: KmsInput): AccessRequest {
  const context = Object.entries(EncryptionContext).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]);
  const names = Object.keys(EncryptionContext);
  return {
    action: `kms:${operation}`,
    resource: toArn('kms', `key/${KeyId.slice(KeyId.lastIndexOf('/') + 1)}`),
    context: { ...Object.fromEntries(context), ...(names.length > 0 && { 'kms:EncryptionContextKeys': names }) },
  };
}

/** Returns the access that a request to SQS needs. Batch operations need that of the single one. The URL of a queue ends in its name. */
const toQueueAccess = (operation: string, { QueueUrl = '' }: { QueueUrl?: string }): AccessRequest => ({
  action: `sqs:${operation.replace(/Batch$/, '')}`,
  resource: toArn('sqs', QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)),
  context: {},
});

/** Lists the access that a request to EventBridge needs: that of each bus that its events name. */
const listBusAccess = ({ Entries = [] }: { Entries?: { EventBusName?: string }[] }): AccessRequest[] =>
  [...new Set(Entries.map(({ EventBusName = 'default' }) => EventBusName))].map((bus) => ({
    action: 'events:PutEvents',
    resource: bus.startsWith('arn:') ? bus : toArn('events', `event-bus/${bus}`),
    context: {},
  }));

/** Returns the access to list a bucket. S3 also requires it, with the key as the prefix, to answer 404 for a missing object. */
export const toListAccess = (bucket: string, prefix: string | null): AccessRequest => ({
  action: 's3:ListBucket',
  resource: `arn:aws:s3:::${bucket}`,
  context: prefix === null ? {} : { 's3:prefix': [prefix] },
});

/** Parses the bucket and key from a request path. */
export function parseObjectPath(path: string): { bucket: string; key: string } {
  const [, bucket = '', key = ''] = /^\/([^/?]*)\/?([^?]*)/.exec(path) ?? [];
  return { bucket, key: decodeURIComponent(key) };
}

const objectActions: Record<string, string> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

/** Parameters of requests to objects and of listings. Any other selects something else, such as `?tagging`, whatever its value. */
const objectParameters = /^(?:x-id|x-amz-[a-z0-9-]+|response-content-[a-z]+)$/i;
const listingParameters = /^(?:list-type|prefix|max-keys|continuation-token|x-id)$/;

/** Returns the access that a request to S3 needs. A form needs the permission of its signer to put the object. */
async function toObjectAccess(
  { method, path, headers }: ServiceRequest,
  body: Buffer<ArrayBuffer>,
): Promise<AccessRequest> {
  const { bucket, key } = parseObjectPath(path);
  const object = (action: string, name: string) => ({
    action,
    resource: `arn:aws:s3:::${bucket}/${name}`,
    context: {},
  });
  const [, query = ''] = /\?(.*)$/s.exec(path) ?? [];
  const parameters = new URLSearchParams(query);
  const hasOnly = (known: RegExp) => parameters.keys().every((name) => known.test(name));
  const unknown = object(`s3:${method} ${path}`, key); // no policy can grant it
  if (headers['x-amz-copy-source']) return unknown;
  if (key !== '') return hasOnly(objectParameters) ? object(objectActions[method] ?? `s3:${method}`, key) : unknown;
  if (method === 'GET' && hasOnly(listingParameters)) return toListAccess(bucket, parameters.get('prefix'));
  if (!isUploadForm({ method, url: path, headers })) return unknown;
  const fields = await parseForm(body, String(headers['content-type'])).catch(() => new FormData());
  return object('s3:PutObject', String(fields.get('key') ?? ''));
}

interface ServiceRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export type Service = 'DYNAMODB' | 'EVENTBRIDGE' | 'KMS' | 'S3' | 'SQS';

const splitTarget = ({ 'x-amz-target': target }: IncomingHttpHeaders): string[] => String(target ?? '').split('.');

/** Returns the service that a request addresses. */
export function detectService(headers: IncomingHttpHeaders): Service {
  const [service = ''] = splitTarget(headers);
  if (service.startsWith('DynamoDB_')) return 'DYNAMODB';
  if (service === 'TrentService') return 'KMS';
  if (service === 'AWSEvents') return 'EVENTBRIDGE';
  return service === 'AmazonSQS' ? 'SQS' : 'S3';
}

/** Lists every access that a request needs. */
export async function listAccessRequests(
  request: ServiceRequest,
  body: Buffer<ArrayBuffer>,
  partitionKeys: PartitionKeys,
): Promise<AccessRequest[]> {
  const service = detectService(request.headers);
  if (service === 'S3') return [await toObjectAccess(request, body)];
  const [, operation = ''] = splitTarget(request.headers);
  const input = JSON.parse(body.toString());
  if (service === 'EVENTBRIDGE') return listBusAccess(input);
  if (service === 'SQS') return [toQueueAccess(operation, input)];
  return service === 'KMS' ? [toKeyAccess(operation, input)] : listTableAccessRequests(operation, input, partitionKeys);
}
