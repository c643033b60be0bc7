import { expect, it } from 'vitest';
import { limitConcurrency } from '../../shared/limit-concurrency.ts';

it('runs at most as many tasks at once, in order, also after one that fails', async () => {
  const inTurn = limitConcurrency(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const run = (i: number) =>
    inTurn(async () => {
      started.push(i);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      if (i === 1) throw new Error('failed');
      return i;
    });
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map(run));
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual([0, 'failed', 2, 3, 4]);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(most).toBe(2);
  expect(await run(5)).toBe(5);
});
