import { multipartBody } from '../../shared/middleware/multipart.ts';
import type { Request } from '../../shared/middleware/onion.ts';

/** What the layer leaves of a request. */
export interface Form {
  faults: { loc: string[]; msg: string; type: string }[];
  body?: Record<string, unknown>;
}

/** Reads a form as the layer does: bytes in base64, as the gateway sends them, or text. */
export async function read(body: Buffer | string, contentType = 'multipart/form-data; boundary=b'): Promise<Form> {
  const isBase64Encoded = typeof body !== 'string';
  const event = {
    body: isBase64Encoded ? body.toString('base64') : body,
    headers: { 'Content-Type': contentType },
    isBase64Encoded,
  };
  const request = { event, internal: { faults: [] } };
  await multipartBody().before?.(request as unknown as Request);
  return request.internal;
}

export const disposition = (name: string, rest = '') => `Content-Disposition: form-data; name="${name}"${rest}`;

/** A part: its headers, as text, and its content. */
export const partOf = (head: string, content: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(content)]);

/** A whole body of parts. `padding` is white space after boundaries. */
export const formOf = (parts: (Buffer | string)[], boundary = 'b', padding = ''): Buffer =>
  Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}${padding}\r\n`), Buffer.from(part), Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--${padding}\r\n`),
  ]);
