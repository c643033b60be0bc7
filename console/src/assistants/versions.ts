import { type Draft, draftFields, isPart } from './draft.ts';
import { sameJson } from './same-json.ts';

/** Whose version of a field is taken. */
export type Choice = 'mine' | 'theirs';

/** A field, or a setting of a part, in which two versions of an assistant differ. */
export interface Difference {
  /** `['name']`, or `['voice', 'language']`. */
  path: [field: string, setting?: string];
  /** Undefined where a version does not have it. */
  mine: unknown;
  theirs: unknown;
  /** Who has changed it since both were the same. */
  changedBy: 'me' | 'them' | 'both';
}

type Bag = Record<string, unknown>;

function difference(path: Difference['path'], base: unknown, mine: unknown, theirs: unknown): Difference[] {
  if (sameJson(mine, theirs)) return [];
  const changedBy = sameJson(base, mine) ? 'them' : sameJson(base, theirs) ? 'me' : 'both';
  return [{ path, mine, theirs, changedBy }];
}

/** Where `mine` and `theirs`, both made of `base`, are not the same. */
export function differences(base: Draft, mine: Draft, theirs: Draft): Difference[] {
  return draftFields.flatMap((field) => {
    if (!isPart(field)) return difference([field], base[field], mine[field], theirs[field]);
    const [before, here, there]: [Bag, Bag, Bag] = [base[field], mine[field], theirs[field]];
    const own = (bag: Bag, key: string) => (Object.hasOwn(bag, key) ? bag[key] : undefined);
    return [...new Set([...Object.keys(there), ...Object.keys(here)])].flatMap((key) =>
      difference([field, key], own(before, key), own(here, key), own(there, key)),
    );
  });
}

/** What each difference begins with: whoever has changed it; mine where both have. */
export const firstChoice = ({ changedBy }: Difference): Choice => (changedBy === 'them' ? 'theirs' : 'mine');

/** `theirs`, with what was chosen of mine. */
export function merged(theirs: Draft, chosen: { difference: Difference; choice: Choice }[]): Draft {
  const result: Bag = { ...theirs };
  for (const { difference, choice } of chosen) {
    if (choice === 'theirs') continue;
    const [field, setting] = difference.path;
    result[field] =
      setting === undefined ? difference.mine : withSetting(result[field] as Bag, setting, difference.mine);
  }
  return result as Draft;
}

function withSetting(bag: Bag, key: string, value: unknown): Bag {
  const others = Object.entries(bag).filter(([name]) => name !== key);
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}
