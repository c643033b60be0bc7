import type { IncomingHttpHeaders } from 'node:http';
import { parseOperation } from '../emulators/s3/operation.ts';
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

/** Operations of S3 that the roles of functions may allow, by their action. Forms need the permission of their signer. */
const objectActions: Record<string, string> = {
  GetObject: 's3:GetObject',
  PutObject: 's3:PutObject',
  DeleteObject: 's3:DeleteObject',
  PostObject: 's3:PutObject',
};

/** Returns the access that a request to S3 needs. No policy can grant that of an operation that no function uses. */
async function toObjectAccess(
  { method, path: url, headers }: ServiceRequest,
  body: Buffer<ArrayBuffer>,
): Promise<AccessRequest> {
  const { name = '', bucket = '', key = '', prefix = null } = parseOperation({ method, url, headers }) ?? {};
  if (name === 'ListObjects') return toListAccess(bucket, prefix);
  const form = name === 'PostObject' && (await parseForm(body, String(headers['content-type'])).catch(() => undefined));
  return {
    action: objectActions[name] ?? `s3:${method} ${url}`,
    resource: `arn:aws:s3:::${bucket}/${form ? String(form.get('key') ?? '') : key}`,
    context: {},
  };
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
