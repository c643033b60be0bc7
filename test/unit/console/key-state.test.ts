import { expect, test } from 'vitest';
import { getKeyState } from '../../../console/src/keys/key-state.ts';

const now = new Date('2026-11-21T12:00:00Z');
const key = {
  id: '01a1fe51-bf78-71ad-a910-da0072d244bc',
  name: 'Worker',
  scopes: ['logs' as const],
  masked_key: '****qeza',
  last_used_at: null,
  quota: null,
  created_at: '2026-11-01T00:00:00.000Z',
};
const by = '01a1fe51-bf78-71ad-a910-da0072d244bd';

test.each([
  [null, null, 'active'],
  ['2026-11-21T12:00:00.001Z', null, 'active'],
  ['2026-11-21T12:00:00.000Z', null, 'expired'],
  ['2026-11-22T12:00:00.000Z', by, 'replaced'],
  ['2026-11-20T12:00:00.000Z', by, 'expired'],
  [null, by, 'replaced'],
] as const)('a key that expires at %s, replaced by %s, is %s', (expires_at, replaced_by, state) => {
  expect(getKeyState({ ...key, expires_at, replaced_by }, now)).toBe(state);
});
