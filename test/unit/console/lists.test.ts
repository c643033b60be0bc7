import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { readAgain, whileShort } from '../../../console/src/api/lists.ts';

const pagesInAll = 100;

/** A list that somebody has read to the end of so many pages, and has before their eyes. */
async function listRead(pages: number) {
  const asked: number[] = [];
  const cache = new QueryClient();
  cache.mount();
  const list = new InfiniteQueryObserver(cache, {
    queryKey: ['things', 'list'],
    initialPageParam: 0,
    queryFn: ({ pageParam }: { pageParam: number }) => asked.push(pageParam),
    getNextPageParam: (_, __, last) => (last + 1 < pagesInAll ? last + 1 : undefined),
    ...whileShort,
  });
  const look = () => list.subscribe(() => undefined);
  const leave = look();
  await list.fetchNextPage();
  for (let page = 1; page < pages; page++) await list.fetchNextPage();
  asked.length = 0;
  return { asked, cache, list, look, leave };
}

/** Somebody comes back to the tab. */
function comeBack(): void {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

it('reads a short list again when somebody comes back to it, and a long one not', async () => {
  const [short, long] = [await listRead(2), await listRead(60)];
  comeBack();
  await settled();
  expect(short.asked).toEqual([0, 1]);
  expect(long.asked).toEqual([]);
  long.leave();
  long.look();
  await settled();
  expect(long.asked).toEqual([]);
});

it('reads after a write the first pages alone, and the rest on demand', async () => {
  const { asked, cache, list } = await listRead(60);
  cache.setQueryData(['things', 'one'], { name: 'One' });
  await readAgain(cache, ['things']);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(list.getCurrentResult().data?.pageParams).toEqual([0, 1, 2, 3]);
  expect(cache.getQueryState(['things', 'one'])).toMatchObject({ data: { name: 'One' }, isInvalidated: true });
  await list.fetchNextPage();
  expect(asked.at(-1)).toBe(4);
});

it('reads after a write what nobody looks at when somebody does', async () => {
  const { asked, cache, leave, look } = await listRead(60);
  leave();
  await readAgain(cache, ['things']);
  expect(asked).toEqual([]);
  look();
  await settled();
  await settled();
  expect(asked).toEqual([0, 1, 2, 3]);
});
