import { expect, it } from 'vitest';
import type { Session } from '../../../console/src/api/types.ts';
import { findCalls } from '../../../console/src/calls/find-calls.ts';

const call = {
  participant_name: 'Zoë',
  room_name: 'front-desk-7',
  end_reason: 'Transferred',
  preview: 'Do you have parking spaces?',
} as Session;
const silent = { participant_name: null, room_name: 'back', end_reason: null, preview: null } as Session;

it.each(['zoe', 'desk-7', 'transferred', ' Parking '])(
  'finds a call by a part of what its row shows: "%s"',
  (typed) => {
    expect(findCalls([call, silent], typed)).toEqual([call]);
  },
);

it('does not match what stands in two fields', () => {
  expect(findCalls([call], 'zoe front')).toEqual([]);
});
