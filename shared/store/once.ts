import { createHmac } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Answer } from '../answer.ts';
import { onceKey } from './keys.ts';
import { day, get, type Item, inSeconds } from './table.ts';
import type { Write } from './table-writes.ts';

/** A request that may be sent again: who sends it, where to, under which `Idempotency-Key`, and what it says. */
export interface Repeatable {
  owner: string;
  route: string;
  key: string;
  request: unknown;
}

/** Thrown where the key was used before. `same`: for the very same request, which got this answer. */
export class AlreadyAnswered extends Error {
  readonly same: boolean;
  readonly answer: Answer;
  constructor(same: boolean, answer: Answer) {
    super('AlreadyAnswered');
    this.same = same;
    this.answer = answer;
  }
}

/**
 * The request as a hash keyed by what is nowhere stored, the client's own key:
 * a body may hold a secret, which a plain hash would let one guess.
 */
const fingerprint = ({ owner, route, key, request }: Repeatable) =>
  createHmac('sha256', key)
    .update(JSON.stringify([owner, route, request]))
    .digest('base64url');

/**
 * The write that remembers an answer for a day. It goes into the transaction that stores the resource: the resource and the
 * memory of it are written both or neither, and there is no lock that a crashed function could leave behind.
 */
export function remember(repeatable: Repeatable, answer: Answer): Write {
  const { owner, route, key } = repeatable;
  const print = fingerprint(repeatable);
  return {
    Put: {
      Item: {
        ...onceKey(owner, route, key),
        fingerprint: print,
        answer: zstdCompressSync(JSON.stringify(answer)),
        expires_at: inSeconds(day),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
      ExpressionAttributeValues: { ':now': inSeconds(0) },
    },
    refused: (stored) => new AlreadyAnswered(stored?.fingerprint === print, answerIn(stored)),
  };
}

/** Throws AlreadyAnswered where a request of this key has its answer. One round trip. */
export async function recall(repeatable: Repeatable): Promise<void> {
  const { owner, route, key } = repeatable;
  const stored = await get(onceKey(owner, route, key));
  if (!stored || Number(stored.expires_at) <= inSeconds(0)) return;
  throw new AlreadyAnswered(stored.fingerprint === fingerprint(repeatable), answerIn(stored));
}

const answerIn = (stored: Item | undefined): Answer =>
  JSON.parse(zstdDecompressSync(stored?.answer as Uint8Array).toString());
