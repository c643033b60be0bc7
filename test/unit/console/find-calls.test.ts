import { expect, test } from 'vitest';
import type { Session } from '../../../console/src/api/types.ts';
import { findCalls } from '../../../console/src/calls/find-calls.ts';

const call = {
  participant_name: 'Zoë',
  room_name: 'front-desk-7',
  end_reason: 'Transferred',
  preview: 'Do you have parking spaces?',
} as Session;
const silent = { participant_name: null, room_name: 'back', end_reason: null, preview: null } as Session;

test.each(['zoe', 'desk-7', 'transferred', ' Parking '])(
  'finds a call by a part of what its row shows: "%s"',
  (typed) => {
    expect(findCalls([call, silent], typed)).toEqual([call]);
  },
);

test.each(['49 30 123', '+4930123', '+49 (30) 123-4', '030 1', '(30) '])(
  'finds a phone number in any spacing: "%s"',
  (typed) => {
    const dialled = { ...silent, participant_name: '+49 030 1234', room_name: 'call-+49301234-x' };
    expect(findCalls([silent, dialled], typed)).toEqual([dialled]);
  },
);

test.each(['-', '+', '49 30 x'])('does not take other text for a phone number: "%s"', (typed) => {
  expect(findCalls([{ ...silent, participant_name: '4930' }], typed)).toEqual([]);
});

test('does not match across two fields', () => {
  expect(findCalls([call], 'zoe front')).toEqual([]);
});
