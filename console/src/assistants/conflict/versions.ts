import { type Draft, draftFields, isPart } from '../draft/draft.ts';
import { isSameJson } from '../draft/same-json.ts';

/** Version to keep of a field. */
export type Choice = 'mine' | 'theirs';

/** A field, or a setting of a part, that differs between two versions of an assistant. */
export interface Difference {
  /** `['name']` or `['voice', 'language']`. */
  path: [field: string, setting?: string];
  /** Undefined if the version lacks it. */
  mine: unknown;
  theirs: unknown;
  /** Side that changed it since their common ancestor. */
  changedBy: 'me' | 'them' | 'both';
}

type Settings = Record<string, unknown>;

function compareSetting(path: Difference['path'], base: unknown, mine: unknown, theirs: unknown): Difference[] {
  if (isSameJson(mine, theirs)) return [];
  const changedBy = isSameJson(base, mine) ? 'them' : isSameJson(base, theirs) ? 'me' : 'both';
  return [{ path, mine, theirs, changedBy }];
}

/** Lists the differences between `mine` and `theirs`, both derived from `base`. */
export function listDifferences(base: Draft, mine: Draft, theirs: Draft): Difference[] {
  return draftFields.flatMap((field) => {
    if (!isPart(field)) return compareSetting([field], base[field], mine[field], theirs[field]);
    const [before, here, there]: [Settings, Settings, Settings] = [base[field], mine[field], theirs[field]];
    const getOwn = (bag: Settings, key: string) => (Object.hasOwn(bag, key) ? bag[key] : undefined);
    return [...new Set([...Object.keys(there), ...Object.keys(here)])].flatMap((key) =>
      compareSetting([field, key], getOwn(before, key), getOwn(here, key), getOwn(there, key)),
    );
  });
}

/** Returns the initial choice: the side that changed the field, or mine if both did. */
export const getDefaultChoice = ({ changedBy }: Difference): Choice => (changedBy === 'them' ? 'theirs' : 'mine');

/** Returns `theirs` with the values that were chosen from mine. */
export function mergeChoices(theirs: Draft, chosen: { difference: Difference; choice: Choice }[]): Draft {
  const result: Settings = { ...theirs };
  for (const { difference, choice } of chosen) {
    if (choice === 'theirs') continue;
    const [field, setting] = difference.path;
    result[field] =
      setting === undefined ? difference.mine : replaceSetting(result[field] as Settings, setting, difference.mine);
  }
  return result as Draft;
}

function replaceSetting(bag: Settings, key: string, value: unknown): Settings {
  const others = Object.entries(bag).filter(([name]) => name !== key);
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}
