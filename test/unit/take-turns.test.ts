import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeTurns } from '../../shared/domain/take-turns.ts';

const deadline = Date.now() + 60_000;

/** Gives the items of lists turns. Returns them in the order of their turns. */
async function take<T>(lists: readonly T[][], concurrency: number, handle = async (_item: T) => {}): Promise<T[]> {
  const taken: T[] = [];
  await takeTurns(
    lists.map((list) => [...list]),
    { concurrency, deadline },
    async (list) => {
      const [item] = list.splice(0, 1);
      if (item === undefined) return false;
      taken.push(item);
      await handle(item);
      return true;
    },
  );
  return taken;
}

test('a long group keeps no other waiting', async () => {
  const lists = [['a1', 'a2', 'a3'], ['b1'], [], ['c1', 'c2']];
  expect(await take(lists, 1)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('all groups have all their turns, one at a time', async () => {
  const anyLists = fc.array(fc.array(fc.nat(3), { maxLength: 5 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyLists, fc.integer({ min: 1, max: 4 }), async (lists, concurrency) => {
      const busy = new Set<number>();
      const named = lists.map((list, l) => list.map((ticks, i) => ({ l, i, ticks })));
      const taken = await take(named, concurrency, async ({ l, ticks }) => {
        expect(busy.has(l)).toBe(false);
        expect(busy.add(l).size).toBeLessThanOrEqual(concurrency);
        for (let tick = 0; tick < ticks; tick++) await undefined;
        busy.delete(l);
      });
      expect(lists.map((_, l) => taken.filter((one) => one.l === l))).toEqual(named);
    }),
  );
});

test('a turn that takes long keeps nobody else waiting', async () => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const taken = await take(
    [
      ['slow', 'later'],
      ['b1', 'b2', 'b3'],
    ],
    2,
    async (item) => {
      if (item === 'slow') await ended;
      if (item === 'b3') end();
    },
  );
  expect(taken).toEqual(['slow', 'b1', 'b2', 'b3', 'later']);
});

test('no turn begins after the deadline', async () => {
  let turns = 0;
  const takeTurn = async () => {
    turns += 1;
    while (Date.now() < soon) await undefined;
    return true;
  };
  const soon = Date.now() + 20;
  await takeTurns([1, 2, 3, 4], { concurrency: 2, deadline: soon }, takeTurn);
  expect(turns).toBe(2);
});
