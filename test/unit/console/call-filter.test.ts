import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFiltered, parseFilter, toQuery } from '../../../console/src/calls/filter.ts';

const id = '01a1ffb5-32ba-7528-bc64-139a946a54bb';

test('parses a filter from the URL', () => {
  const search = { assistant: id, room: 'front', find: 'ada', from: '2026-11-20', to: '2026-11-21' };
  expect(parseFilter({ ...search, more: 'x' })).toEqual(search);
  expect(parseFilter({ room: 4711, find: 49 })).toMatchObject({ room: '4711', find: '49' });
});

test.each([
  { assistant: 'me' },
  { room: '' },
  { room: 'x'.repeat(257) },
  { find: '' },
  { from: '2026-02-30' },
  { to: '21.11.2026' },
])('ignores invalid values: %j', (search) => {
  expect(isFiltered(parseFilter(search))).toBe(false);
});

test('accepts any value in the URL', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('assistant', 'room', 'find', 'from', 'to'), fc.anything()), (search) => {
      expect(() => toQuery(parseFilter(search))).not.toThrow();
    }),
  );
});

test("covers whole days in the user's time zone", () => {
  const { from, to } = toQuery({ from: '2026-11-20', to: '2026-11-21' });
  expect(from).toBe(new Date(2026, 10, 20).toISOString());
  expect(to).toBe(new Date(2026, 10, 21, 23, 59, 59, 999).toISOString());
});
