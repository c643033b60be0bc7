/** A piece of a document that can be found and read out. `page` is where it begins, null where a kind has no pages. */
export interface Passage {
  page: number | null;
  text: string;
}

/** The text of a page as it was extracted. `number` counts from 1. */
export interface PageText {
  number: number | null;
  text: string;
}

/** All in UTF-16 units. No passage is longer than `longest`: `usual` + `leeway` + `overlap`. */
export const sizes = { usual: 850, leeway: 200, overlap: 150, unit: 400, longest: 1_200 } as const;

/** How well a passage ends after a unit: a heading belongs to what follows, a paragraph's end is best. */
const ends = { heading: 0, within: 1, sentence: 2, paragraph: 3 } as const;

/** What is never cut: a sentence, or a part of one that is too long. `end` is its end in the text. */
interface Unit {
  end: number;
  rank: (typeof ends)[keyof typeof ends];
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const sentenceEnd = /[.!?…。！？؟۔।:;](?:["'”’»)\]」』）]|\s)*$/u;
const endsSentence = (text: string) => sentenceEnd.test(text.slice(-50));
const isHeading = (text: string) => text.length <= 100 && (text.startsWith('#') || !endsSentence(text));

/** Where to cut text that is longer than a unit: after a line, else after a word, else between characters. */
function cutOf(text: string): number {
  const start = text.slice(0, sizes.unit);
  const line = start.lastIndexOf('\n') + 1;
  if (line > 0) return line;
  const space = start.search(/\s\S*$/u) + 1;
  if (space > 0) return space;
  const grapheme = graphemes.segment(text.slice(0, sizes.unit + 50)).containing(sizes.unit)?.index ?? 0;
  if (grapheme > 0) return grapheme;
  const code = text.charCodeAt(sizes.unit - 1);
  return code >= 0xd800 && code < 0xdc00 ? sizes.unit - 1 : sizes.unit; // never through a surrogate pair
}

/** Where paragraphs begin and end: after blank lines. Line by line, as one expression over 10 MB overflows the stack. */
function* paragraphsOf(text: string): Generator<{ from: number; to: number }> {
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

function* unitsOf(text: string): Generator<Unit> {
  for (const { from, to } of paragraphsOf(text)) {
    const paragraph = text.slice(from, to);
    const heading = isHeading(paragraph.trim());
    // a line break ends a sentence for the segmenter; here most are those of a printed line
    const pieces = heading
      ? [{ segment: paragraph, index: 0 }]
      : sentences.segment(paragraph.replaceAll(/[\r\n]/gu, ' '));
    for (const { segment, index: offset } of pieces) {
      let at = from + offset;
      const end = at + segment.length;
      while (end - at > sizes.unit) {
        at += cutOf(text.slice(at, Math.min(end, at + sizes.unit + 50)));
        yield { end: at, rank: ends.within };
      }
      const last = offset + segment.length === paragraph.length;
      yield { end, rank: heading ? ends.heading : last ? ends.paragraph : ends.sentence };
    }
  }
}

/** The best end for a passage that begins at `start` and should be `wanted` long: best rank first, then nearest. */
function endOf(units: readonly Unit[], first: number, start: number, wanted: number): number {
  let best = first;
  let bestCost = Infinity;
  for (let i = first; i < units.length; i++) {
    const unit = units[i];
    if (!unit) break;
    const off = Math.abs(unit.end - start - wanted);
    if (unit.end - start > wanted + sizes.leeway) break;
    let cost = off > sizes.leeway ? off * 10 : off - unit.rank * sizes.leeway;
    if (unit.rank === ends.heading) cost += sizes.longest * 10;
    if (cost < bestCost) [best, bestCost] = [i, cost];
  }
  return best;
}

/** Where the passage after `last` begins: with its last sentences, where they are short. */
function overlapOf(units: readonly Unit[], last: number, start: number): number {
  const end = units[last]?.end ?? 0;
  let from = end;
  for (let i = last - 1; i >= last - 2; i--) {
    const unit = units[i];
    if (!unit || unit.end <= start || end - unit.end > sizes.overlap) break;
    from = unit.end;
  }
  return from;
}

function* passagesIn({ number: page, text }: PageText): Generator<Passage> {
  const units = [...unitsOf(text)];
  const total = text.length;
  let shownFrom = 0;
  let start = 0;
  for (let first = 0; first < units.length; ) {
    const rest = total - start;
    const parts = Math.ceil((rest - sizes.leeway) / sizes.usual);
    const last = parts <= 1 ? units.length - 1 : endOf(units, first, start, rest / parts);
    const end = units[last]?.end ?? total;
    yield { page, text: text.slice(shownFrom, end).trim() };
    shownFrom = overlapOf(units, last, start);
    start = end;
    first = last + 1;
  }
}

const startsInSentence = /^[\p{Ll}\p{Lo}]/u;

/** Moves the rest of a sentence, where a page ends within one, to the page where it began. */
function joined(pages: readonly PageText[]): PageText[] {
  const result: PageText[] = [];
  for (const { number, text } of pages) {
    let rest = text.toWellFormed().trim();
    const before = result.at(-1);
    if (before && startsInSentence.test(rest) && !endsSentence(before.text)) {
      const { done, value } = unitsOf(rest.slice(0, sizes.unit)).next();
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
 * Cuts the pages of a document into passages of up to 1 200 UTF-16 units, of even length within a page. They end where
 * a paragraph or a sentence does, if any does, and repeat the last sentences of the one before where those are short.
 * A passage goes over to the next page only to end its sentence. The same pages always give the same passages.
 */
export function passagesOf(pages: readonly PageText[]): Passage[] {
  return joined(pages).flatMap((page) => [...passagesIn(page)].filter(({ text }) => text !== ''));
}
