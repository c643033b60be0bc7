import type { IncomingHttpHeaders } from 'node:http';
import type { Deed } from './gate.ts';
import { type PartitionKeys, tableDeeds } from './table-deeds.ts';
import { arnOf } from './template.ts';

interface KmsInput {
  KeyId?: string;
  EncryptionContext?: Record<string, string>;
}

function keyDeed(operation: string, { KeyId = '', EncryptionContext = {} }: KmsInput): Deed {
  const context = Object.entries(EncryptionContext).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]);
  const names = Object.keys(EncryptionContext);
  return {
    action: `kms:${operation}`,
    resource: arnOf('kms', `key/${KeyId.slice(KeyId.lastIndexOf('/') + 1)}`),
    context: { ...Object.fromEntries(context), ...(names.length > 0 && { 'kms:EncryptionContextKeys': names }) },
  };
}

/** What a request to SQS does. The address of a queue ends in its name. */
const queueDeed = (operation: string, { QueueUrl = '' }: { QueueUrl?: string }): Deed => ({
  action: `sqs:${operation}`,
  resource: arnOf('sqs', QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)),
  context: {},
});

/** The look into a bucket by which S3 tells whoever misses an object that there is none. */
export const listing = (bucket: string): Deed => ({
  action: 's3:ListBucket',
  resource: `arn:aws:s3:::${bucket}`,
  context: {},
});

/** The bucket and the key of an address of S3. */
export function placeOf(path: string): { bucket: string; key: string } {
  const [, bucket = '', key = ''] = /^\/([^/?]*)\/?([^?]*)/.exec(path) ?? [];
  return { bucket, key: decodeURIComponent(key) };
}

const objectActions: Record<string, string> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
};

/** What a request to S3 does. A form stores an object; whoever sends it, it is its signer's right that counts. */
async function fileDeed({ method, path, headers }: Request, body: Buffer<ArrayBuffer>): Promise<Deed> {
  const { bucket, key } = placeOf(path);
  const object = (action: string, name: string) => ({
    action,
    resource: `arn:aws:s3:::${bucket}/${name}`,
    context: {},
  });
  // Parts of an object such as its tags are named by a parameter without a value.
  const isPlain = [...new URLSearchParams(path.split('?')[1])].every(([, value]) => value !== '');
  if (!isPlain || headers['x-amz-copy-source']) return object(`s3:${method} ${path}`, key);
  if (key !== '') return object(objectActions[method] ?? `s3:${method}`, key);
  if (method !== 'POST') return listing(bucket);
  const form = new Response(body, { headers: { 'content-type': String(headers['content-type']) } });
  const fields = await form.formData().catch(() => new FormData());
  return object('s3:PutObject', String(fields.get('key') ?? ''));
}

interface Request {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
}

export type Service = 'DYNAMODB' | 'KMS' | 'S3' | 'SQS';

const targetOf = ({ 'x-amz-target': target }: IncomingHttpHeaders): string[] => String(target ?? '').split('.');

/** The service that a request is for. */
export function serviceOf(headers: IncomingHttpHeaders): Service {
  const [service = ''] = targetOf(headers);
  if (service.startsWith('DynamoDB_')) return 'DYNAMODB';
  if (service === 'TrentService') return 'KMS';
  return service === 'AmazonSQS' ? 'SQS' : 'S3';
}

/** All that a request does. */
export async function deedsOf(
  request: Request,
  body: Buffer<ArrayBuffer>,
  partitionKeys: PartitionKeys,
): Promise<Deed[]> {
  const service = serviceOf(request.headers);
  if (service === 'S3') return [await fileDeed(request, body)];
  const [, operation = ''] = targetOf(request.headers);
  const input = JSON.parse(body.toString());
  if (service === 'SQS') return [queueDeed(operation, input)];
  return service === 'KMS' ? [keyDeed(operation, input)] : tableDeeds(operation, input, partitionKeys);
}
