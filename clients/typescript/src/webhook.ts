import type { components } from './schema.d.ts';

/** Error of a delivery with a wrong, missing or old signature. Answer it with 401. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** Event as a webhook receives it. */
export type WebhookEvent = Pick<components['schemas']['Event'], 'id' | 'data' | 'user_id' | 'actor'> & {
  type: components['schemas']['Event']['type'] | 'search.updated';
  timestamp: string;
};

/** Headers of a request, as `fetch`, Node and web frameworks have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

export interface Delivery {
  /** Secret of the webhook, as the API returned it; several while one replaces another. */
  secret: string | readonly string[];
  headers: WebhookHeaders;
  /** Raw body. Parsed and written again, it would differ. */
  body: string | Uint8Array;
}

/** Maximum difference between the clocks of the sender and of this machine, in seconds. */
const toleranceS = 300;

const encoder = new TextEncoder();
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const decodeBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** Returns the key of a secret: base64, with or without `whsec_`, or else the UTF-8 bytes of the text. */
function parseSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = String(secret ?? '').replace(/^whsec_/, '');
  if (text.trim() === '') throw new TypeError('The secret of the webhook is empty: pass the one that the API returned');
  return base64.test(text) ? decodeBase64(text) : encoder.encode(secret);
}

function getHeader(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return String(headers[key ?? name] ?? '');
}

/** Decodes the signatures of the header that have the version `v1`. */
const parseSignatures = (header: string) =>
  header
    .split(' ')
    .filter((one) => one.startsWith('v1,') && base64.test(one.slice(3)))
    .map((one) => decodeBase64(one.slice(3)));

function join(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}

/** Returns the bytes of a raw body. Throws TypeError for a body that was parsed. */
function toBytes(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('The body was parsed: pass the raw body of the request, as text or bytes');
}

/**
 * Verifies the signature of a delivery (Standard Webhooks 1.0) and returns its event. Throws WebhookError if it does not hold, and TypeError
 * for an empty secret or a parsed body.
 */
export async function verifyWebhook({ secret, headers, body }: Delivery): Promise<WebhookEvent> {
  const secrets = [secret].flat().map(parseSecret);
  if (secrets.length === 0) throw new TypeError('There is no secret: pass the one that the API returned');
  const bytes = toBytes(body);
  const id = getHeader(headers, 'webhook-id');
  const timestamp = getHeader(headers, 'webhook-timestamp');
  const signatures = parseSignatures(getHeader(headers, 'webhook-signature'));
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || signatures.length === 0)
    throw new WebhookError('The delivery has no valid headers webhook-id, webhook-timestamp and webhook-signature');
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceS)
    throw new WebhookError('The delivery is more than five minutes old or new: check the clock of this machine');
  const signed = join(encoder.encode(`${id}.${timestamp}.`), bytes);
  for (const raw of secrets) {
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return JSON.parse(new TextDecoder().decode(bytes));
  }
  throw new WebhookError('The signature is wrong: check the secret, and pass the body as it came');
}
