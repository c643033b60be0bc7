/** Yields the first item of each group, then the second of each, and so on, so that a long group keeps no other waiting. */
export function* takeTurns<T>(groups: Iterable<Iterable<T>>): Generator<T> {
  const waiting = new Set(Array.from(groups, (group) => group[Symbol.iterator]()));
  while (waiting.size > 0) {
    for (const group of waiting) {
      const { value, done } = group.next();
      if (done) waiting.delete(group);
      else yield value;
    }
  }
}
