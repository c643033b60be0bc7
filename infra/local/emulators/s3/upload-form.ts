import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseBoundary } from '../../../../shared/http/middleware/multipart-frame.ts';
import { credentials } from '../emulator.ts';
import { maxFormBytes, readObjectBody } from './object-body.ts';
import { S3Error } from './s3-error.ts';

/** A policy condition: `{ key: 'a' }`, `['eq', '$key', 'a']`, `['starts-with', '$key', 'a']` or `['content-length-range', 1, 9]`. */
type Condition = Record<string, string> | [operator: string, first: unknown, second: unknown];

interface Policy {
  expiration: string;
  conditions: Condition[];
}

/** A form as S3 parses it: its fields by lowercase name, and the file. S3 ignores fields after the file. */
export interface UploadForm {
  fields: Map<string, string>;
  file: File;
}

/** Maximum size of all that precedes the content of a form's file, in bytes, as in S3. */
const maxFieldBytes = 20_480;

/** Returns a form without what follows its file, which S3 ignores. Throws S3Error if too much precedes the file. */
function cutAfterFile(body: Buffer<ArrayBuffer>, boundary: string): Buffer<ArrayBuffer> {
  const head = body.toString('latin1', 0, maxFieldBytes);
  const name = head.search(/\bname="file"/i);
  const content = name < 0 ? -1 : head.indexOf('\r\n\r\n', name);
  if (content < 0) {
    if (body.length <= maxFieldBytes) return body;
    throw new S3Error(400, 'MaxPostPreDataLengthExceeded', 'The form has more than 20 KB before its file');
  }
  const end = body.indexOf(`\r\n--${boundary}`, content);
  return end < 0 ? body : Buffer.concat([body.subarray(0, end), Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

/** Parses a form up to its file. Throws S3Error if it has too many fields, and another error if it is malformed. */
export async function parseForm(body: Buffer<ArrayBuffer>, contentType: string): Promise<FormData> {
  const boundary = parseBoundary(contentType);
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  return new Response(cutAfterFile(body, boundary), { headers }).formData();
}

/** Reads a form. Throws S3Error if it is too large, has no file or repeats a field. */
export async function readForm(request: IncomingMessage): Promise<UploadForm> {
  const body = await readObjectBody(request, maxFormBytes);
  const form = await parseForm(body, request.headers['content-type'] ?? '').catch((error) => {
    if (error instanceof S3Error) throw error;
    throw new S3Error(400, 'MalformedPOSTRequest', 'The body is no well-formed multipart/form-data');
  });
  const fields: UploadForm['fields'] = new Map();
  for (const [name, value] of form) {
    const key = name.toLowerCase();
    if (key === 'file') return { fields, file: typeof value === 'string' ? new File([value], key) : value };
    if (typeof value !== 'string' || fields.has(key))
      throw new S3Error(400, 'InvalidArgument', `The form has the field ${key} twice, or as a file`);
    fields.set(key, value);
  }
  throw new S3Error(400, 'InvalidArgument', 'POST requires exactly one file upload per request.');
}

/** True for fields that the policy does not have to mention. */
const isUnchecked = (name: string) => ['policy', 'x-amz-signature'].includes(name) || name.startsWith('x-ignore-');

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Throws S3Error unless the policy is signed with the credentials (Signature Version 4). */
function checkSignature(fields: UploadForm['fields'], policy: string): void {
  const [accessKeyId, ...scope] = (fields.get('x-amz-credential') ?? '').split('/', 6);
  if (scope.length !== 4)
    throw new S3Error(400, 'InvalidArgument', 'The credential should be key/date/region/service/type');
  if (accessKeyId !== credentials.accessKeyId)
    throw new S3Error(403, 'InvalidAccessKeyId', 'The access key id of the form is not known');
  const signature = hmac(scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`), policy);
  const given = Buffer.from(fields.get('x-amz-signature') ?? '', 'hex');
  if (given.length !== signature.length || !timingSafeEqual(given, signature))
    throw new S3Error(403, 'SignatureDoesNotMatch', 'The policy of the form is not signed by its access key');
}

/** Returns the fields that a condition names. Throws S3Error if the condition does not hold. */
function checkCondition(condition: Condition, fields: UploadForm['fields'], size: number): string[] {
  const failed = new S3Error(
    403,
    'AccessDenied',
    `Invalid according to Policy: Policy Condition failed: ${JSON.stringify(condition)}`,
  );
  if (!Array.isArray(condition)) {
    const wanted = Object.entries(condition).map(([name, value]) => [name.toLowerCase(), value] as const);
    if (!wanted.every(([name, value]) => fields.get(name) === value)) throw failed;
    return wanted.map(([name]) => name);
  }
  const [operator, first, second] = condition;
  if (operator === 'content-length-range') {
    if (size < Number(first)) throw new S3Error(400, 'EntityTooSmall', 'The file is smaller than the policy allows');
    if (size > Number(second)) throw new S3Error(400, 'EntityTooLarge', 'The file is larger than the policy allows');
    return [];
  }
  const name = String(first).replace('$', '').toLowerCase();
  const value = fields.get(name);
  const holds =
    operator === 'eq' ? value === second : operator === 'starts-with' && (value?.startsWith(String(second)) ?? false);
  if (!holds) throw failed;
  return [name];
}

/** Throws S3Error unless a form may store its file in a bucket: its policy is signed and not expired, and all conditions hold. */
export function checkForm({ fields, file }: UploadForm, bucket: string): void {
  const encoded = fields.get('policy');
  if (!encoded) throw new S3Error(403, 'AccessDenied', 'A form needs a signed policy');
  checkSignature(fields, encoded);
  const { expiration, conditions }: Policy = JSON.parse(Buffer.from(encoded, 'base64').toString());
  if (!(Date.parse(expiration) > Date.now()))
    throw new S3Error(403, 'AccessDenied', 'Invalid according to Policy: Policy expired.');
  const all = new Map(fields).set('bucket', bucket);
  const named = conditions.flatMap((condition) => checkCondition(condition, all, file.size));
  const extra = [...all.keys()].filter((name) => !isUnchecked(name) && !named.includes(name));
  if (extra.length > 0)
    throw new S3Error(403, 'AccessDenied', `Invalid according to Policy: Extra input fields: ${extra}`);
}
