import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromCursor, toCursor } from '../../shared/domain/cursor.ts';
import { sampleSize } from '../support/sample.ts';

const owner = 'xYz';
const listing = 'assistants/list';
const position = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'grapheme' }),
  fc.uuid().map((id) => `2026-01-01#${id}`),
);

/** Its place is named; the cursor itself is not repeated. */
const msg = 'Not a cursor of this listing: start again without it';
const refused = { fault: { loc: ['query', 'cursor'], msg, type: 'cursor' } };

describe('a cursor', () => {
  test('that is absent is the beginning', () => {
    expect(fromCursor(owner, listing, undefined)).toEqual({});
  });

  test('leads back to its place', () => {
    fc.assert(
      fc.property(position, (place) => {
        expect(fromCursor(owner, listing, toCursor(owner, listing, place))).toEqual({ before: place });
      }),
    );
  });

  test('is made of characters that need no escape in a query, and fits the bound of the query', () => {
    fc.assert(fc.property(fc.uuid(), (id) => /^[\w-]{1,200}$/.test(toCursor(owner, listing, id))));
  });

  test('of another user or another listing is refused', () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (place, otherOwner, otherListing) => {
        fc.pre(otherOwner !== owner || otherListing !== listing);
        expect(fromCursor(owner, listing, toCursor(otherOwner, otherListing, place))).toEqual(refused);
      }),
    );
  });

  test('is refused by another listing of the same user, and by the same listing of another user', () => {
    expect(fromCursor(owner, 'logs/list', toCursor(owner, listing, 'x'))).toEqual(refused);
    expect(fromCursor('xYZ', listing, toCursor(owner, listing, 'x'))).toEqual(refused);
  });

  test('does not pass owner off as listing', () => {
    expect(fromCursor('ab', 'c', toCursor('a', 'bc', 'x'))).toEqual(refused);
  });

  test('is refused when any of its characters is another', () => {
    const character = fc.stringMatching(/^[ -~]$/);
    fc.assert(
      fc.property(position, fc.nat(), character, (place, n, replacement) => {
        const cursor = toCursor(owner, listing, place);
        const i = n % cursor.length;
        fc.pre(cursor[i] !== replacement);
        const damaged = cursor.slice(0, i) + replacement + cursor.slice(i + 1);
        expect(fromCursor(owner, listing, damaged)).toEqual(refused);
      }),
      { numRuns: sampleSize(2_000) },
    );
  });

  test('is refused when it is cut, or when something is added', () => {
    fc.assert(
      fc.property(position, fc.nat(), fc.stringMatching(/^[ -~]{1,4}$/), (place, n, added) => {
        const cursor = toCursor(owner, listing, place);
        const i = n % cursor.length;
        expect(fromCursor(owner, listing, cursor.slice(0, i))).toEqual(refused);
        for (const longer of [cursor + added, added + cursor, cursor.slice(0, i) + added + cursor.slice(i)]) {
          expect(fromCursor(owner, listing, longer)).toEqual(refused);
        }
      }),
      { numRuns: sampleSize(500) },
    );
  });

  test('that somebody made up is refused, with the place of the fault and without echoing it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fromCursor(owner, listing, text)).toEqual(refused);
      }),
    );
  });
});
