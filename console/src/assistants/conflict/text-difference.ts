/** Two texts, split into their common start, the parts that differ, and their common end. */
export interface TextDifference {
  before: string;
  one: string;
  other: string;
  after: string;
}

/** True if a cut at `at` would split a surrogate pair. */
const splitsPair = (text: string, at: number) => /[\udc00-\udfff]/.test(text.charAt(at));

/** Splits two texts where they differ. */
export function splitAtDifference(one: string, other: string): TextDifference {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  while (start > 0 && (splitsPair(one, start) || splitsPair(other, start))) start -= 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  while (end > 0 && (splitsPair(one, one.length - end) || splitsPair(other, other.length - end))) end -= 1;
  return {
    before: one.slice(0, start),
    one: one.slice(start, one.length - end),
    other: other.slice(start, other.length - end),
    after: one.slice(one.length - end),
  };
}
