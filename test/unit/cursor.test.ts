import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCursor, toCursor } from '../../shared/domain/cursor.ts';
import { getSampleSize } from '../support/sample.ts';

const owner = 'xYz';
const listing = 'assistants/list';
const position = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'grapheme' }),
  fc.uuid().map((id) => `2026-01-01#${id}`),
);

/** Message of a rejected cursor. It does not echo the cursor. */
const msg = 'Not a cursor of this listing: start again without it';
const refused = { fault: { loc: ['query', 'cursor'], msg, type: 'cursor' } };

describe('a cursor', () => {
  test('is at the beginning if absent', () => {
    expect(parseCursor(owner, listing, undefined)).toEqual({});
  });

  test('is parsed back to its position', () => {
    fc.assert(
      fc.property(position, (place) => {
        expect(parseCursor(owner, listing, toCursor(owner, listing, place))).toEqual({ before: place });
      }),
    );
  });

  test('needs no escaping in a query, and fits the limit of the parameter', () => {
    fc.assert(fc.property(fc.uuid(), (id) => /^[\w-]{1,200}$/.test(toCursor(owner, listing, id))));
  });

  test('is rejected for any other user or listing', () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (place, otherOwner, otherListing) => {
        fc.pre(otherOwner !== owner || otherListing !== listing);
        expect(parseCursor(owner, listing, toCursor(otherOwner, otherListing, place))).toEqual(refused);
      }),
    );
  });

  test('is rejected for another listing of the same user, and for the same listing of another user', () => {
    expect(parseCursor(owner, 'logs/list', toCursor(owner, listing, 'x'))).toEqual(refused);
    expect(parseCursor('xYZ', listing, toCursor(owner, listing, 'x'))).toEqual(refused);
  });

  test('is bound to owner and listing separately, not to their concatenation', () => {
    expect(parseCursor('ab', 'c', toCursor('a', 'bc', 'x'))).toEqual(refused);
  });

  test('is rejected if any character is changed', () => {
    const character = fc.stringMatching(/^[ -~]$/);
    fc.assert(
      fc.property(position, fc.nat(), character, (place, n, replacement) => {
        const cursor = toCursor(owner, listing, place);
        const i = n % cursor.length;
        fc.pre(cursor[i] !== replacement);
        const damaged = cursor.slice(0, i) + replacement + cursor.slice(i + 1);
        expect(parseCursor(owner, listing, damaged)).toEqual(refused);
      }),
      { numRuns: getSampleSize(2_000) },
    );
  });

  test('is rejected if it is cut or extended', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.stringMatching(/^[ -~]{1,4}$/), (place, n, added) => {
        const cursor = toCursor(owner, listing, place);
        const i = n % cursor.length;
        expect(parseCursor(owner, listing, cursor.slice(0, i))).toEqual(refused);
        for (const longer of [cursor + added, added + cursor, cursor.slice(0, i) + added + cursor.slice(i)]) {
          expect(parseCursor(owner, listing, longer)).toEqual(refused);
        }
      }),
      { numRuns: getSampleSize(500) },
    );
  });

  test('is rejected if it is made up, with the path of the fault and without an echo', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseCursor(owner, listing, text)).toEqual(refused);
      }),
    );
  });
});
