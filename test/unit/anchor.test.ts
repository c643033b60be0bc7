import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchorOf } from '../../shared/domain/transcript.ts';

const start = '2026-11-21T07:00:00Z';

describe('the anchor of a call', () => {
  test('is the start of the call, before anything that its items say', () => {
    expect(anchorOf(start, [{ id: 'item_5f1c', created_at: 1763708402 }])).toBe('start:2026-11-21T07:00:00.000Z');
    expect(anchorOf(start, [{}])).toBe('start:2026-11-21T07:00:00.000Z');
  });

  test.each(['2026-11-21T07:00:00+00:00', '2026-11-21T07:00:00.000Z', '2026-11-21t16:00:00+09:00'])(
    'is the same in another spelling of the instant: %s',
    (spelling) => {
      expect(anchorOf(spelling, [{}])).toBe(anchorOf(start, [{}]));
      expect(anchorOf(undefined, [{ time: spelling }])).toBe(anchorOf(undefined, [{ timestamp: start }]));
    },
  );

  test('is else the first item’s own id, as sent', () => {
    expect(anchorOf(undefined, [{ id: 'item_5f1c', created_at: start }, { id: 'b' }])).toBe('id:item_5f1c');
    expect(anchorOf('soon', [{ id: 'Item_5F1C' }])).toBe('id:Item_5F1C');
  });

  test('is else the first item’s absolute time', () => {
    expect(anchorOf(undefined, [{ created_at: 1763708402.113 }])).toBe('at:2025-11-21T07:00:02.113Z');
    expect(anchorOf(undefined, [{ time: 1763708402113, secondsFromStart: 0 }])).toBe('at:2025-11-21T07:00:02.113Z');
  });

  test.each([1, 0, '1', '12', '', ' ', null, {}, true])('is no id that only counts, or is none: %j', (id) => {
    expect(anchorOf(undefined, [{ id }])).toBeUndefined();
    expect(anchorOf(undefined, [{ id, timestamp: start }])).toBe('at:2026-11-21T07:00:00.000Z');
  });

  test('is not in an empty transcript', () => {
    expect(anchorOf(start, [])).toBeUndefined();
  });

  test.each([{}, { time_in_call_secs: 0 }, { start: 3.2 }, { words: [{ start: 0.7 }] }, { timestamp: 'now' }])(
    'is not in an item without an id or an absolute time: %j',
    (item) => {
      expect(anchorOf(undefined, [item])).toBeUndefined();
    },
  );

  test('is not in the items after the first', () => {
    expect(anchorOf(undefined, [{ text: 'Hi' }, { id: 'item_5f1c', timestamp: start }])).toBeUndefined();
  });

  test('of one kind is never that of another', () => {
    const instant = '2026-11-21T07:00:00.000Z';
    const anchors = [
      anchorOf(instant, [{}]),
      anchorOf(undefined, [{ id: instant }]),
      anchorOf(undefined, [{ timestamp: instant }]),
      anchorOf(undefined, [{ id: `at:${instant}` }]),
      anchorOf(undefined, [{ id: `start:${instant}` }]),
    ];
    expect(new Set(anchors).size).toBe(5);
  });

  test('is found, or not, in any object whatever', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.array(fc.object()), (startedAt, items) => {
        expect(anchorOf(startedAt, items) ?? 'id:').toMatch(/^(start|id|at):/);
      }),
    );
  });
});
