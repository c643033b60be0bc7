import { diffArrays } from 'diff';

/** Part of two texts: in both, or in one of them. */
export interface TextPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Lines of an unchanged part that are left out. */
export interface SkippedLines {
  kind: 'skipped';
  lines: number;
}

/** Limit of a comparison, in milliseconds. Texts that differ too much are shown as a whole. */
const timeoutMs = 250;
/** Longest text whose words are compared. */
const maxWordCharacters = 20_000;
/** Smallest share of the shorter text that stays, for its words to be marked. Below it, marks in every second word are harder to read. */
const minSameShare = 0.3;
/** Unchanged lines around a change. */
const contextLines = 2;

// Finds words in scripts without spaces, and never splits a character.
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const splitWords = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const toParts = (removed: string, added: string): TextPart[] =>
  [
    { kind: 'removed' as const, text: removed },
    { kind: 'added' as const, text: added },
  ].filter(({ text }) => text !== '');

/** Compares two lists of texts. Returns undefined if that takes too long. */
function comparePieces(before: string[], after: string[]): TextPart[] | undefined {
  const parts = diffArrays(before, after, { timeout: timeoutMs });
  return parts?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }));
}

/** Joins neighbouring changes, also across a space between two words, so that a changed phrase is one change. */
function joinChanges(parts: readonly TextPart[]): TextPart[] {
  const joined: TextPart[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    joined.push(...toParts(removed, added));
    [removed, added] = ['', ''];
  };
  parts.forEach(({ kind, text }, index) => {
    const isBetween = (removed !== '' || added !== '') && index < parts.length - 1;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (isBetween && /^[^\S\n]+$/.test(text)) {
      removed += text;
      added += text;
    } else {
      flush();
      joined.push({ kind, text });
    }
  });
  flush();
  return joined;
}

/** Compares the words of two texts, or returns them as a whole if they have little in common. */
function compareWords(before: string, after: string): TextPart[] {
  const [shortest = 0, longest = 0] = [before.length, after.length].toSorted((a, b) => a - b);
  if (shortest === 0 || longest > maxWordCharacters) return toParts(before, after);
  const parts = joinChanges(comparePieces(splitWords(before), splitWords(after)) ?? toParts(before, after));
  const same = parts.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  return same < minSameShare * shortest ? toParts(before, after) : parts;
}

/** Compares two texts by lines, and changed lines by words. Unchanged and removed parts make up `before`, unchanged and added ones `after`. */
export function compareTexts(before: string, after: string): TextPart[] {
  const lines = comparePieces(splitLines(before), splitLines(after)) ?? toParts(before, after);
  const parts: TextPart[] = [];
  let [removed, added] = ['', ''];
  for (const { kind, text } of [...lines, { kind: 'same' as const, text: '' }]) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      parts.push(...compareWords(removed, added), { kind, text });
      [removed, added] = ['', ''];
    }
  }
  return parts.filter(({ text }) => text !== '');
}

/** Leaves out unchanged lines that are far from any change. */
export function skipUnchanged(parts: readonly TextPart[]): (TextPart | SkippedLines)[] {
  return parts.flatMap((part, index): (TextPart | SkippedLines)[] => {
    if (part.kind !== 'same') return [part];
    const lines = splitLines(part.text);
    const head = index === 0 ? 0 : contextLines;
    const tail = index === parts.length - 1 ? 0 : contextLines;
    const skipped = lines.length - head - tail;
    if (skipped < 2) return [part];
    const shown: (TextPart | SkippedLines)[] = [
      { kind: 'same', text: lines.slice(0, head).join('') },
      { kind: 'skipped', lines: skipped },
      { kind: 'same', text: lines.slice(lines.length - tail).join('') },
    ];
    return shown.filter((one) => one.kind === 'skipped' || one.text !== '');
  });
}
