/**
 * Gives each group a turn, then each another one, so that a long group keeps no other waiting: up to `concurrency` groups at once. A group
 * whose turn returns false gets no more. No turn begins after the deadline, in milliseconds since 1970.
 */
export async function takeTurns<T>(
  groups: Iterable<T>,
  { concurrency, deadline }: { concurrency: number; deadline: number },
  takeTurn: (group: T) => Promise<boolean>,
): Promise<void> {
  const waiting = [...groups];
  const work = async () => {
    while (Date.now() < deadline) {
      const group = waiting.shift();
      if (group === undefined) return; // each of the others goes on with its own
      if (await takeTurn(group)) waiting.push(group);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
