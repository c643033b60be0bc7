import { createHmac, randomBytes } from 'node:crypto';

/** A signing key in base64. `until` is the end of its grace period, RFC 3339, once another has replaced it. */
export interface SigningKey {
  key: string;
  until?: string;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Generates a secret in the format of Standard Webhooks: 256 random bits in base64, with a prefix. */
export const generateWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * Parses a secret as receivers do. Base64, with or without the prefix `whsec_`, is decoded; the key of any other text is
 * its UTF-8 bytes.
 */
export function parseWebhookSecret(secret: string) {
  const text = secret.replace(/^whsec_/, '');
  const isBase64 = base64.test(text);
  return {
    key: isBase64 ? text : Buffer.from(secret).toString('base64'),
    secret_encoding: isBase64 ? ('base64' as const) : ('utf8' as const),
    masked_secret: `****${[...secret].slice(-4).join('')}`,
  };
}

/** Drops the keys that are past their grace period. */
export const dropExpired = (keys: readonly SigningKey[], now: number): SigningKey[] =>
  keys.filter(({ until }) => until === undefined || Date.parse(until) > now);

/** Replaces the signing key. The current one stays valid for the grace period, and older ones no longer. */
export function replaceKey(keys: readonly SigningKey[], key: string, graceSeconds: number, now: number): SigningKey[] {
  const until = new Date(now + graceSeconds * 1000).toISOString();
  const current = keys.filter((one) => one.until === undefined).map((one) => ({ ...one, until }));
  return dropExpired([{ key }, ...current], now);
}

/** Returns the headers that sign a delivery (Standard Webhooks 1.0). `sentAt` is in milliseconds since 1970. */
export function sign(keys: readonly SigningKey[], id: string, sentAt: number, body: string): Record<string, string> {
  const timestamp = String(Math.floor(sentAt / 1000));
  const signatures = dropExpired(keys, sentAt).map(({ key }) =>
    createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64'),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  };
}
