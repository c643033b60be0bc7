import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asked, filterIn, isFiltered } from '../../../console/src/calls/filter.ts';

const id = '01a1ffb5-32ba-7528-bc64-139a946a54bb';

it('reads an address', () => {
  const search = { assistant: id, room: 'front', find: 'ada', from: '2026-11-20', to: '2026-11-21' };
  expect(filterIn({ ...search, more: 'x' })).toEqual(search);
  expect(filterIn({ room: 4711, find: 49 })).toMatchObject({ room: '4711', find: '49' });
});

it.each([
  { assistant: 'me' },
  { room: '' },
  { room: 'x'.repeat(257) },
  { find: '' },
  { from: '2026-02-30' },
  { to: '21.11.2026' },
])('takes no nonsense: %j', (search) => {
  expect(isFiltered(filterIn(search))).toBe(false);
});

it('takes whatever stands in an address', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('assistant', 'room', 'find', 'from', 'to'), fc.anything()), (search) => {
      expect(() => asked(filterIn(search))).not.toThrow();
    }),
  );
});

it('asks for whole days where the reader is', () => {
  const { from, to } = asked({ from: '2026-11-20', to: '2026-11-21' });
  expect(from).toBe(new Date(2026, 10, 20).toISOString());
  expect(to).toBe(new Date(2026, 10, 21, 23, 59, 59, 999).toISOString());
});
