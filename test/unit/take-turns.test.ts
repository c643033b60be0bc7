import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeTurns } from '../../shared/domain/take-turns.ts';

async function* read<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

const readAll = <T>(lists: readonly (readonly T[])[]) => read(lists.map(read));

const deadline = Date.now() + 60_000;

test('a long list keeps no other waiting', async () => {
  const taken: string[] = [];
  const lists = readAll([['a1', 'a2', 'a3'], ['b1'], [], ['c1', 'c2']]);
  await takeTurns(lists, { concurrency: 1, deadline }, async (item) => void taken.push(item));
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('all items are handled once, in the order of their list, one of each list at a time', async () => {
  const anyLists = fc.array(fc.array(fc.nat(3), { maxLength: 5 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyLists, fc.integer({ min: 1, max: 4 }), async (lists, concurrency) => {
      const done = lists.map(() => [] as number[]);
      const busy = new Set<number>();
      const named = lists.map((list, l) => list.map((ticks, i) => ({ l, i, ticks })));
      await takeTurns(readAll(named), { concurrency, deadline }, async ({ l, i, ticks }) => {
        expect(busy.has(l)).toBe(false);
        expect(busy.add(l).size).toBeLessThanOrEqual(concurrency);
        for (let tick = 0; tick < ticks; tick++) await undefined;
        busy.delete(l);
        done[l]?.push(i);
      });
      expect(done).toEqual(lists.map((list) => [...list.keys()]));
    }),
  );
});

test('one list that takes long keeps nobody else waiting, and nothing begins after the deadline', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const taken: string[] = [];
  await takeTurns(
    readAll([
      ['slow', 'later'],
      ['b1', 'b2', 'b3'],
    ]),
    { concurrency: 2, deadline },
    async (item) => {
      taken.push(item);
      if (item === 'slow') await ended;
      if (item === 'b3') end();
    },
  );
  expect(taken).toEqual(['slow', 'b1', 'b2', 'b3', 'later']);

  const late: string[] = [];
  await takeTurns(readAll([['a1']]), { concurrency: 2, deadline: Date.now() }, async (item) => void late.push(item));
  expect(late).toEqual([]);
});
