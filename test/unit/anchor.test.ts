import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAnchor } from '../../shared/domain/transcript.ts';

const start = '2026-11-21T07:00:00Z';

describe('the anchor of a call', () => {
  test('is the start of the call, if known', () => {
    expect(findAnchor(start, [{ id: 'item_5f1c', created_at: 1763708402 }])).toBe('start:2026-11-21T07:00:00.000Z');
    expect(findAnchor(start, [{}])).toBe('start:2026-11-21T07:00:00.000Z');
  });

  test.each(['2026-11-21T07:00:00+00:00', '2026-11-21T07:00:00.000Z', '2026-11-21t16:00:00+09:00'])(
    'is the same for every spelling of a timestamp: %s',
    (spelling) => {
      expect(findAnchor(spelling, [{}])).toBe(findAnchor(start, [{}]));
      expect(findAnchor(undefined, [{ time: spelling }])).toBe(findAnchor(undefined, [{ timestamp: start }]));
    },
  );

  test('is the id of the first item, as sent, if the start is unknown', () => {
    expect(findAnchor(undefined, [{ id: 'item_5f1c', created_at: start }, { id: 'b' }])).toBe('id:item_5f1c');
    expect(findAnchor('soon', [{ id: 'Item_5F1C' }])).toBe('id:Item_5F1C');
  });

  test('is the absolute time of the first item, if it has no id', () => {
    expect(findAnchor(undefined, [{ created_at: 1763708402.113 }])).toBe('at:2025-11-21T07:00:02.113Z');
    expect(findAnchor(undefined, [{ time: 1763708402113, secondsFromStart: 0 }])).toBe('at:2025-11-21T07:00:02.113Z');
  });

  test.each([1, 0, '1', '12', '', ' ', null, {}, true])(
    'is never an id that is a counter, empty or not a string: %j',
    (id) => {
      expect(findAnchor(undefined, [{ id }])).toBeUndefined();
      expect(findAnchor(undefined, [{ id, timestamp: start }])).toBe('at:2026-11-21T07:00:00.000Z');
    },
  );

  test('is undefined for an empty transcript', () => {
    expect(findAnchor(start, [])).toBeUndefined();
  });

  test.each([{}, { time_in_call_secs: 0 }, { start: 3.2 }, { words: [{ start: 0.7 }] }, { timestamp: 'now' }])(
    'is undefined for an item without an id and an absolute time: %j',
    (item) => {
      expect(findAnchor(undefined, [item])).toBeUndefined();
    },
  );

  test('ignores the items after the first', () => {
    expect(findAnchor(undefined, [{ text: 'Hi' }, { id: 'item_5f1c', timestamp: start }])).toBeUndefined();
  });

  test('never equals an anchor of another kind', () => {
    const instant = '2026-11-21T07:00:00.000Z';
    const anchors = [
      findAnchor(instant, [{}]),
      findAnchor(undefined, [{ id: instant }]),
      findAnchor(undefined, [{ timestamp: instant }]),
      findAnchor(undefined, [{ id: `at:${instant}` }]),
      findAnchor(undefined, [{ id: `start:${instant}` }]),
    ];
    expect(new Set(anchors).size).toBe(5);
  });

  test('is well-formed or undefined for any items', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.array(fc.object()), (startedAt, items) => {
        expect(findAnchor(startedAt, items) ?? 'id:').toMatch(/^(start|id|at):/);
      }),
    );
  });
});
