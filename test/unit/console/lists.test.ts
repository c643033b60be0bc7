import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { changeLists, readAgain, readFromTop, whileShort } from '../../../console/src/api/lists.ts';

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

it('reads after something new the first pages alone, and the rest on demand', async () => {
  const { asked, cache, list } = await listRead(60);
  cache.setQueryData(['things', 'one'], { name: 'One' });
  await readFromTop(cache, ['things']);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(list.getCurrentResult().data?.pageParams).toEqual([0, 1, 2, 3]);
  expect(cache.getQueryState(['things', 'one'])).toMatchObject({ data: { name: 'One' }, isInvalidated: true });
  await list.fetchNextPage();
  expect(asked.at(-1)).toBe(4);
});

it('reads after something new what nobody looks at when somebody does', async () => {
  const { asked, cache, leave, look } = await listRead(60);
  leave();
  await readFromTop(cache, ['things']);
  expect(asked).toEqual([]);
  look();
  await settled();
  await settled();
  expect(asked).toEqual([0, 1, 2, 3]);
});

it('changes a long list where it is, over what is on its way, and reads what is short again', async () => {
  const [long, short] = [await listRead(60), await listRead(2)];
  for (const { cache, list, asked } of [long, short]) {
    const next = list.fetchNextPage();
    await changeLists(cache, ['things', 'list'], (page: number) => -page);
    await readAgain(cache, ['things']);
    await next.catch(() => undefined);
    asked.shift();
  }
  expect(long.list.getCurrentResult().data?.pages).toEqual(Array.from({ length: 60 }, (_, page) => -page - 1));
  expect(long.asked).toEqual([]);
  expect(short.asked).toEqual([0, 1]);
});
