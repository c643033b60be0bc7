/** Two texts, cut where they begin and end to differ. */
export interface DifferingPart {
  before: string;
  one: string;
  other: string;
  after: string;
}

/** Where a surrogate pair would be cut in two. */
const splitsPair = (text: string, at: number) => /[\udc00-\udfff]/.test(text.charAt(at));

/** The part in which two texts differ, with what they have in common before and after. */
export function differingPart(one: string, other: string): DifferingPart {
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
