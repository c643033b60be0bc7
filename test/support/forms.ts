import type { MiddlewareRequest } from '../../shared/http/middleware/middleware.ts';
import { multipartBody } from '../../shared/http/middleware/multipart.ts';

/** The result of the multipart middleware. */
export interface Form {
  faults: { loc: string[]; msg: string; type: string }[];
  body?: Record<string, unknown>;
}

/** Parses a form with the multipart middleware. Passes bytes as base64, as API Gateway does, and text unchanged. */
export async function parseForm(body: Buffer | string, contentType = 'multipart/form-data; boundary=b'): Promise<Form> {
  const isBase64Encoded = typeof body !== 'string';
  const event = {
    body: isBase64Encoded ? body.toString('base64') : body,
    headers: { 'Content-Type': contentType },
    isBase64Encoded,
  };
  const request = { event, internal: { faults: [] } };
  await multipartBody().before?.(request as unknown as MiddlewareRequest);
  return request.internal;
}

export const buildDisposition = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`;

/** Builds a part from its header lines and content. */
export const buildPart = (head: string, content: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(content)]);

/** Builds a body from parts. `padding` is white space after each boundary. */
export const buildForm = (parts: (Buffer | string)[], boundary = 'b', padding = ''): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}${padding}\r\n`), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--${padding}\r\n`),
  ]);
