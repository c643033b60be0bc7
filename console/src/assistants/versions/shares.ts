import type { Live } from '../../api/types.ts';

/** A version with its share of the calls in percent. */
export type Share = Live['versions'][number];

/** Two versions that share the calls, as a form shows them. */
export interface Split {
  /** The version that most calls get, or the newest if none is live. */
  base: number;
  /** The version that gets the rest. */
  other: number;
  /** Share of the other one, in percent. */
  otherWeight: number;
}

const firstShare = 10;

/** Returns the split to start from: the one that is live, or else 10 % for another version. Undefined if there are no two versions. */
export function getInitialSplit(live: Live | null, versions: readonly number[]): Split | undefined {
  const ranked = (live?.versions ?? []).toSorted((a, b) => b.weight - a.weight || a.version - b.version);
  const newestFirst = versions.toSorted((a, b) => b - a);
  const base = ranked[0]?.version ?? newestFirst[0];
  const other = ranked[1]?.version ?? newestFirst.find((version) => version !== base);
  if (base === undefined || other === undefined) return undefined;
  return { base, other, otherWeight: ranked.length === 2 ? getWeight(live, other) : firstShare };
}

/** Returns the share of a version, 0 if it is not live. */
export const getWeight = (live: Live | null, version: number): number =>
  live?.versions.find((share) => share.version === version)?.weight ?? 0;

/** Returns the shares of a split, the newer version first. */
export function toShares({ base, other, otherWeight }: Split): [newer: Share, older: Share] {
  const [ofOther, ofBase] = [
    { version: other, weight: otherWeight },
    { version: base, weight: 100 - otherWeight },
  ];
  return other > base ? [ofOther, ofBase] : [ofBase, ofOther];
}

/** Returns the split in which the newer version has this share. */
export const setNewerWeight = (split: Split, weight: number): Split => ({
  ...split,
  otherWeight: split.other > split.base ? weight : 100 - weight,
});

/** True if these shares are live already. */
export const areLive = (live: Live | null, shares: readonly Share[]): boolean =>
  live?.versions.length === shares.length && shares.every(({ version, weight }) => getWeight(live, version) === weight);
