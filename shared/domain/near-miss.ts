const at = (line: number[], column: number) => line[column] ?? Number.POSITIVE_INFINITY;

/** Returns how many edits (insert, delete, replace, swap neighbours) turn `a` into `b`: the optimal string alignment. */
function countEdits(a: string, b: string): number {
  let [older, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(older, j - 2) + 1 : replaced;
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped));
    }
    [older, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/**
 * Returns the name that a text is probably a typo of: the nearest one, by one edit, or two in a text of six letters or
 * more. Undefined if the text is a name itself, or near none.
 */
export function findNearMiss(text: string, names: readonly string[]): string | undefined {
  const sought = text.trim().toLowerCase();
  if (sought.length < 3 || sought.length > 64 || names.includes(sought)) return undefined;
  const most = sought.length < 6 ? 1 : 2;
  const [nearest] = names
    .filter((name) => Math.abs(name.length - sought.length) <= most)
    .map((name) => ({ name, edits: countEdits(sought, name) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name;
}
