/**
 * Handles the items of lists, one of each in turn, so that a long list keeps no other waiting: up to `concurrency` at once, each of another
 * list. Begins none after the deadline, in milliseconds since 1970.
 */
export async function takeTurns<T>(
  lists: AsyncIterator<AsyncIterator<T>>,
  { concurrency, deadline }: { concurrency: number; deadline: number },
  handle: (item: T) => Promise<void>,
): Promise<void> {
  const waiting: AsyncIterator<T>[] = [];
  const work = async () => {
    while (Date.now() < deadline) {
      const fresh = await lists.next();
      const list = fresh.done ? waiting.shift() : fresh.value;
      if (!list) return; // each of the others goes on with its own
      const item = await list.next();
      if (item.done) continue;
      await handle(item.value);
      waiting.push(list);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
