import { focusManager, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { invalidate, invalidateFromTop, refetchDefaults, updateLists } from '../../../console/src/api/list-cache.ts';

const totalPages = 100;

/** Reads a number of pages of a list, and stays subscribed to it. */
async function readList(pages: number) {
  const asked: number[] = [];
  const cache = new QueryClient();
  cache.mount();
  const list = new InfiniteQueryObserver(cache, {
    queryKey: ['things', 'list'],
    initialPageParam: 0,
    queryFn: ({ pageParam }: { pageParam: number }) => asked.push(pageParam),
    getNextPageParam: (_, __, last) => (last + 1 < totalPages ? last + 1 : undefined),
    ...refetchDefaults,
  });
  const look = () => list.subscribe(() => undefined);
  const leave = look();
  await list.fetchNextPage();
  for (let page = 1; page < pages; page++) await list.fetchNextPage();
  asked.length = 0;
  return { asked, cache, list, look, leave };
}

/** Simulates a user who returns to the tab. */
function returnToTab(): void {
  focusManager.setFocused(false);
  focusManager.setFocused(true);
}
const waitForTasks = () => new Promise((resolve) => setTimeout(resolve));

test('refetches a short list when the user returns to it, but not a long one', async () => {
  const [short, long] = [await readList(2), await readList(60)];
  returnToTab();
  await waitForTasks();
  expect(short.asked).toEqual([0, 1]);
  expect(long.asked).toEqual([]);
  long.leave();
  long.look();
  await waitForTasks();
  expect(long.asked).toEqual([]);
});

test('refetches only the first pages after a creation, and the rest on demand', async () => {
  const { asked, cache, list } = await readList(60);
  cache.setQueryData(['things', 'one'], { name: 'One' });
  await invalidateFromTop(cache, ['things']);
  expect(asked).toEqual([0, 1, 2, 3]);
  expect(list.getCurrentResult().data?.pageParams).toEqual([0, 1, 2, 3]);
  expect(cache.getQueryState(['things', 'one'])).toMatchObject({ data: { name: 'One' }, isInvalidated: true });
  await list.fetchNextPage();
  expect(asked.at(-1)).toBe(4);
});

test('refetches an unmounted list after a creation only once it is shown', async () => {
  const { asked, cache, leave, look } = await readList(60);
  leave();
  await invalidateFromTop(cache, ['things']);
  expect(asked).toEqual([]);
  look();
  await waitForTasks();
  await waitForTasks();
  expect(asked).toEqual([0, 1, 2, 3]);
});

test('updates a long list in place, despite a read in flight, and refetches a short one', async () => {
  const [long, short] = [await readList(60), await readList(2)];
  for (const { cache, list, asked } of [long, short]) {
    const next = list.fetchNextPage();
    await updateLists(cache, ['things', 'list'], (page: number) => -page);
    await invalidate(cache, ['things']);
    await next.catch(() => undefined);
    asked.shift();
  }
  expect(long.list.getCurrentResult().data?.pages).toEqual(Array.from({ length: 60 }, (_, page) => -page - 1));
  expect(long.asked).toEqual([]);
  expect(short.asked).toEqual([0, 1]);
});
