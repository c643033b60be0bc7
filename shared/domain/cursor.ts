import { hash } from 'node:crypto';
import type { Fault } from '../errors.ts';

/** Longer than any id or name in a sort key. */
const maxLength = 400;

/** Tells damage and mix-ups, not malice: whoever forges one gets no further than into their own listing. */
const seal = (owner: string, listing: string, position: string) =>
  hash('sha256', JSON.stringify([owner, listing, position]), 'base64url').slice(0, 12);

/**
 * An opaque place in a listing: where the last page ended. It holds only what its user has seen already,
 * and leads only into the listing of the user for whom it was made.
 */
export const toCursor = (owner: string, listing: string, position: string): string =>
  Buffer.from(`${seal(owner, listing, position)}${position}`).toString('base64url');

/** The place that a cursor means; without one, the beginning. A fault where it is damaged, or another user's or listing's. */
export function fromCursor(owner: string, listing: string, cursor?: string): { before?: string } | { fault: Fault } {
  if (cursor === undefined) return {};
  const position = Buffer.from(cursor, 'base64url').toString().slice(12);
  if (position.length > maxLength || cursor !== toCursor(owner, listing, position)) {
    const msg = 'Not a cursor of this listing: start again without it';
    return { fault: { loc: ['query', 'cursor'], msg, type: 'cursor' } };
  }
  return { before: position };
}
