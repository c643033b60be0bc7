/** Part of a document that a search returns. `page` is the page where it begins; null if the format has no pages. */
export interface Passage {
  page: number | null;
  text: string;
}

/** Extracted text of a page. `number` counts from 1. */
export interface PageText {
  number: number | null;
  text: string;
}

/** Sizes in UTF-16 units. No passage is longer than `max`, the sum of `target`, `leeway` and `overlap`. */
export const sizes = { target: 850, leeway: 200, overlap: 150, unit: 400, max: 1_200 } as const;

/** Length up to which a paragraph is a unit, whatever it says. A document can have millions, each of which the segmenter takes 5 µs for. */
const shortParagraph = 8;

/** Length of the text after a unit that shows where its last character ends, in UTF-16 units. */
const lookahead = 50;

/** Ranks of the positions where a passage may end. Best after a paragraph, worst after a heading, which belongs to the next text. */
const endRanks = { heading: 0, within: 1, sentence: 2, paragraph: 3 } as const;

/** Text that is never split: a sentence, or a part of an overlong one. `end` is its end offset in the text. */
interface Unit {
  end: number;
  rank: (typeof endRanks)[keyof typeof endRanks];
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const sentenceEnd = /[.!?…。！？؟۔।:;](?:["'”’»)\]」』）]|\s)*$/u;
const endsSentence = (text: string) => sentenceEnd.test(text.slice(-50));
const isHeading = (text: string) => text.length <= 100 && (text.startsWith('#') || !endsSentence(text));

/** Returns where to cut text that is longer than a unit: after a line, else after a word, else between characters. */
function findCut(text: string): number {
  const start = text.slice(0, sizes.unit);
  const line = start.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const space = start.search(/\s\S*$/u) + 1;
  if (space > 0) return space;
  const grapheme = graphemes.segment(text.slice(0, sizes.unit + lookahead)).containing(sizes.unit)?.index ?? 0;
  if (grapheme > 0) return grapheme;
  const code = text.charCodeAt(sizes.unit - 1);
  return code >= 0xd800 && code < 0xdc00 ? sizes.unit - 1 : sizes.unit; // never through a surrogate pair
}

/** Yields the offsets of paragraphs, separated by blank lines. Goes line by line, because a regex over 10 MB overflows the stack. */
function* splitParagraphs(text: string): Generator<{ from: number; to: number }> {
  let from = 0;
  let afterBlank = false;
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd < 0 ? text.length : lineEnd + 1;
    const blank = text.slice(at, next).trim() === '';
    if (afterBlank && !blank) {
      yield { from, to: at };
      from = at;
    }
    afterBlank = blank;
    at = next;
  }
  yield { from, to: text.length };
}

/** Units between two reports of progress. */
const progressSize = 10_000;

/** Splits a text into units. Each paragraph takes a segmenter, which 10 MB of short ones need for 15 seconds. */
function listUnits(text: string, onProgress: () => void): Unit[] {
  const units: Unit[] = [];
  for (const unit of splitUnits(text)) if (units.push(unit) % progressSize === 0) onProgress();
  return units;
}

function* splitUnits(text: string): Generator<Unit> {
  for (const { from, to } of splitParagraphs(text)) {
    const paragraph = text.slice(from, to);
    const heading = isHeading(paragraph.trim());
    const isWhole = heading || paragraph.length <= shortParagraph;
    // The segmenter ends a sentence at a line break, but most line breaks here are from the layout.
    const pieces = isWhole
      ? [{ segment: paragraph, index: 0 }]
      : sentences.segment(paragraph.replaceAll(/[\r\n]/gu, ' '));
    for (const { segment, index: offset } of pieces) {
      let at = from + offset;
      const end = at + segment.length;
      while (end - at > sizes.unit) {
        at += findCut(text.slice(at, Math.min(end, at + sizes.unit + lookahead)));
        yield { end: at, rank: endRanks.within };
      }
      const last = offset + segment.length === paragraph.length;
      yield { end, rank: heading ? endRanks.heading : last ? endRanks.paragraph : endRanks.sentence };
    }
  }
}

/** Returns the best last unit for a passage from `start` with a length of about `wanted`: by rank, then by distance. */
function findEnd(units: readonly Unit[], first: number, start: number, wanted: number): number {
  const longest = Math.min(wanted, sizes.target) + sizes.leeway;
  let best = first;
  let bestCost = Infinity;
  for (let i = first; i < units.length; i++) {
    const unit = units[i];
    if (!unit) break;
    const off = Math.abs(unit.end - start - wanted);
    if (unit.end - start > longest) break;
    let cost = off > sizes.leeway ? off * 10 : off - unit.rank * sizes.leeway;
    if (unit.rank === endRanks.heading) cost += sizes.max * 10;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  }
  return best;
}

/** Returns where the passage after the unit `last` starts. It repeats the last sentences if they are short. */
function findOverlap(units: readonly Unit[], last: number, start: number): number {
  const end = units[last]?.end ?? 0;
  let from = end;
  for (let i = last - 1; i >= last - 2; i--) {
    const unit = units[i];
    if (!unit || unit.end <= start || end - unit.end > sizes.overlap) break;
    from = unit.end;
  }
  return from;
}

function* splitPage({ number: page, text }: PageText, onProgress: () => void): Generator<Passage> {
  const units = listUnits(text, onProgress);
  const total = text.length;
  let shownFrom = 0;
  let start = 0;
  for (let first = 0; first < units.length; ) {
    const rest = total - start;
    const parts = Math.ceil((rest - sizes.leeway) / sizes.target);
    const last = parts <= 1 ? units.length - 1 : findEnd(units, first, start, rest / parts);
    const end = units[last]?.end ?? total;
    yield { page, text: text.slice(shownFrom, end).trim() };
    shownFrom = findOverlap(units, last, start);
    start = end;
    first = last + 1;
  }
}

const startsInSentence = /^[\p{Ll}\p{Lo}]/u;

/** Moves the end of a sentence that continues on the next page to the page where it began. */
function joinSentences(pages: readonly PageText[]): PageText[] {
  const result: PageText[] = [];
  for (const { number, text } of pages) {
    let rest = text.toWellFormed().trim();
    const before = result.at(-1);
    if (before && startsInSentence.test(rest) && !endsSentence(before.text)) {
      const { done, value } = splitUnits(rest.slice(0, sizes.unit + lookahead)).next();
      if (!done) {
        before.text += `\n${rest.slice(0, value.end).trim()}`;
        rest = rest.slice(value.end).trim();
      }
    }
    if (rest !== '') result.push({ number, text: rest });
  }
  return result;
}

/**
 * Splits the pages of a document into passages of up to 1,200 UTF-16 units, of similar length within a page. A passage ends after a
 * paragraph or sentence if possible, and starts with the last sentences of the previous one if they are short. It crosses a page break
 * only to finish a sentence. The same pages always give the same passages. Calls `onProgress` several times in a long page.
 */
export function splitPassages(pages: readonly PageText[], onProgress = () => {}): Passage[] {
  return joinSentences(pages).flatMap((page) => [...splitPage(page, onProgress)].filter(({ text }) => text !== ''));
}
