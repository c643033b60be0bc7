import { hash } from 'node:crypto';
import type { Fault } from '../errors.ts';

/** Maximum size of a position, in bytes: longer than any id or name, and shorter than a sort key may be. */
const maxPositionBytes = 900;

/** Detects damaged and mixed-up cursors. Needs no key: a forged cursor only reaches its user's own listing. */
const computeChecksum = (owner: string, listing: string, position: string) =>
  hash('sha256', JSON.stringify([owner, listing, position]), 'base64url').slice(0, 12);

/**
 * Encodes the position at which a page ended. The cursor is valid only for this user and listing, and holds nothing
 * that the user has not seen.
 */
export const toCursor = (owner: string, listing: string, position: string): string =>
  Buffer.from(`${computeChecksum(owner, listing, position)}${position}`).toString('base64url');

/** Decodes a cursor. Returns no position without one, and a fault if it is damaged or of another user or listing. */
export function parseCursor(owner: string, listing: string, cursor?: string): { before?: string } | { fault: Fault } {
  if (cursor === undefined) return {};
  const position = Buffer.from(cursor, 'base64url').toString().slice(12);
  if (Buffer.byteLength(position) > maxPositionBytes || cursor !== toCursor(owner, listing, position)) {
    const msg = 'Not a cursor of this listing: start again without it';
    return { fault: { loc: ['query', 'cursor'], msg, type: 'cursor' } };
  }
  return { before: position };
}
