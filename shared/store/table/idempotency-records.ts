import { createHmac } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Result } from '../../http/result.ts';
import { toIdempotencyRecordKey } from './keys.ts';
import { daySeconds, get, getUnixSeconds, type Row } from './table.ts';
import type { Write } from './writes.ts';

/** A request with an `Idempotency-Key`. */
export interface IdempotentRequest {
  owner: string;
  route: string;
  key: string;
  request: unknown;
}

/** Thrown if the key was used before. `isSameRequest` is false if it was used for another request. */
export class AlreadyAnswered extends Error {
  readonly isSameRequest: boolean;
  readonly result: Result;
  constructor(isSameRequest: boolean, result: Result) {
    super('AlreadyAnswered');
    this.isSameRequest = isSameRequest;
    this.result = result;
  }
}

/**
 * Hashes a request, keyed with the client's `Idempotency-Key`, which is never stored. A body may hold a secret, which
 * could be guessed from a plain hash.
 */
const computeFingerprint = ({ owner, route, key, request }: IdempotentRequest) =>
  createHmac('sha256', key)
    .update(JSON.stringify([owner, route, request]))
    .digest('base64url');

/**
 * Builds the write that remembers a result for a day. Put it into the transaction that stores the resource, so that
 * both are written or neither. This needs no lock, which a crashed function could leave behind.
 */
export function buildResultWrite(request: IdempotentRequest, result: Result): Write {
  const { owner, route, key } = request;
  const fingerprint = computeFingerprint(request);
  return {
    Put: {
      Item: {
        ...toIdempotencyRecordKey(owner, route, key),
        fingerprint,
        answer: zstdCompressSync(JSON.stringify(result)),
        expires_at: getUnixSeconds(daySeconds),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': getUnixSeconds(0) },
    },
    toError: (stored) => new AlreadyAnswered(stored?.fingerprint === fingerprint, parseResult(stored)),
  };
}

/** Throws AlreadyAnswered if a result is remembered under the key. One round trip. */
export async function throwIfAnswered(request: IdempotentRequest): Promise<void> {
  const { owner, route, key } = request;
  const stored = await get(toIdempotencyRecordKey(owner, route, key));
  if (!stored || Number(stored.expires_at) <= getUnixSeconds(0)) return;
  throw new AlreadyAnswered(stored.fingerprint === computeFingerprint(request), parseResult(stored));
}

const parseResult = (stored: Row | undefined): Result =>
  JSON.parse(zstdDecompressSync(stored?.answer as Uint8Array).toString());
