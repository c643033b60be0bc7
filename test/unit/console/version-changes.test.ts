import { expect, test } from 'vitest';
import type { Assistant, Live, Series } from '../../../console/src/api/types.ts';
import { canPublish } from '../../../console/src/assistants/versions/can-publish.ts';
import {
  formatValue,
  getChangeKind,
  getChangeLabel,
  isTextChange,
} from '../../../console/src/assistants/versions/changes.ts';
import { areLive, getInitialSplit, setNewerWeight, toShares } from '../../../console/src/assistants/versions/shares.ts';
import { sumByVersion } from '../../../console/src/assistants/versions/usage.ts';
import { live as text } from '../../../console/src/strings/live.ts';

const change = (before: unknown, after: unknown) => ({ path: ['name'], before, after });

test('tells what was added, removed and changed', () => {
  expect([change(null, 1), change(1, null), change(1, 2), change('', 'a')].map(getChangeKind)).toEqual([
    'added',
    'removed',
    'changed',
    'changed',
  ]);
});

test('compares texts of several words by words, and everything else by its JSON', () => {
  expect([change('one', 'two words'), change(null, 'two words'), change('two\nlines', null)].every(isTextChange)).toBe(
    true,
  );
  expect(
    [
      change('en', 'de'),
      change(1, 2),
      change({ a: 'two words' }, null),
      change('two words', 1),
      change(null, null),
    ].some(isTextChange),
  ).toBe(false);
  expect([formatValue('en'), formatValue(''), formatValue(null), formatValue([1]), formatValue(false)]).toEqual([
    'en',
    '""',
    undefined,
    '[\n  1\n]',
    'false',
  ]);
});

test('names a value in the words of the form', () => {
  expect(getChangeLabel(['system_instruction'])).toBe('System instruction');
  expect(getChangeLabel(['voice', 'language'])).toBe('Voice › Language');
  expect(getChangeLabel(['voice', 'constructor'])).toBe('Voice › constructor');
  expect(getChangeLabel(['tools', 'model', 'description'])).toBe('Tools › model › description');
  expect(getChangeLabel(['added_by_a_newer_release'])).toBe('added_by_a_newer_release');
});

const live = (...versions: [version: number, weight: number][]): Live => ({
  versions: versions.map(([version, weight]) => ({ version, weight })),
  since: '2026-11-21T10:00:00.000Z',
  changed_by: 'ada',
});

test('offers to publish what calls do not get yet', () => {
  const assistant = (live: Live | null, has_unpublished_changes: boolean) =>
    canPublish({ live, has_unpublished_changes } as Assistant);
  expect(assistant(null, false)).toBe(true);
  expect(assistant(live([1, 100]), false)).toBe(false);
  expect(assistant(live([1, 100]), true)).toBe(true);
});

test('starts a rollout from what is live, with 10 % for another version', () => {
  expect(getInitialSplit(live([6, 100]), [7, 6, 5])).toEqual({ base: 6, other: 7, otherWeight: 10 });
  expect(getInitialSplit(live([7, 100]), [7, 6, 5])).toEqual({ base: 7, other: 6, otherWeight: 10 });
  expect(getInitialSplit(live([7, 25], [6, 75]), [7, 6])).toEqual({ base: 6, other: 7, otherWeight: 25 });
  expect(getInitialSplit(live([3, 100]), [45, 44]), 'not on the first page').toEqual({
    base: 3,
    other: 45,
    otherWeight: 10,
  });
  expect(getInitialSplit(null, [2, 1])).toEqual({ base: 2, other: 1, otherWeight: 10 });
  expect(getInitialSplit(null, [1])).toBeUndefined();
  expect(getInitialSplit(live([1, 100]), [1])).toBeUndefined();
});

test('gives the newer version its share, whichever was chosen first', () => {
  const shares = [
    { version: 7, weight: 10 },
    { version: 6, weight: 90 },
  ];
  expect(toShares({ base: 6, other: 7, otherWeight: 10 })).toEqual(shares);
  expect(toShares({ base: 7, other: 6, otherWeight: 90 })).toEqual(shares);
  expect(toShares(setNewerWeight({ base: 7, other: 6, otherWeight: 1 }, 10))).toEqual(shares);
  expect(toShares(setNewerWeight({ base: 6, other: 7, otherWeight: 1 }, 10))).toEqual(shares);
  expect(areLive(live([7, 10], [6, 90]), shares)).toBe(true);
  expect(areLive(live([7, 20], [6, 80]), shares)).toBe(false);
  expect(areLive(live([7, 100]), shares)).toBe(false);
  expect(areLive(null, shares)).toBe(false);
});

test('says in one line what calls get', () => {
  expect(text.live([{ version: 7, weight: 100 }])).toBe('Live v7');
  expect(text.live(live([7, 10], [6, 90]).versions)).toBe('Live v7 10 % · v6 90 %');
});

test('adds up the usage of each version, and weighs latencies by their turns', () => {
  const entry = (key: string, calls: number, latency: object | null, cost: number | null) =>
    ({ key, calls, latency: { e2e: latency }, cost }) as Series[number];
  const sums = sumByVersion([
    entry('an-id/7', 3, { p50: 400, p95: 900, turns: 10 }, 1),
    entry('an-id/7', 1, { p50: 800, p95: 1_300, turns: 30 }, null),
    entry('an-id/0', 2, null, null),
  ]);
  expect([...sums]).toEqual([
    [7, { calls: 4, p50: 700, p95: 1_200, cost: 1 }],
    [0, { calls: 2, p50: null, p95: null, cost: null }],
  ]);
});
