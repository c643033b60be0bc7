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

/** Length from which paragraphs are segmented together: each call takes 10 µs and a kilobyte, and a text can have a million paragraphs. */
const batchLength = 20_000;

/** Ends a sentence, wherever it stands. */
const paragraphSeparator = '\u2029';

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
const endingLength = 50;
const endsSentence = (text: string) => sentenceEnd.test(text.slice(-endingLength));
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

/** Offsets of a paragraph in a text. Excludes `to`. */
interface Paragraph {
  from: number;
  to: number;
}

/** Yields the paragraphs of a text, separated by blank lines. Goes line by line, because a regex over 10 MB overflows the stack. */
function* splitParagraphs(text: string): Generator<Paragraph> {
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

/** Yields the paragraphs of a text in batches that are segmented together. */
function* listBatches(text: string): Generator<Paragraph[]> {
  let batch: Paragraph[] = [];
  for (const paragraph of splitParagraphs(text)) {
    batch.push(paragraph);
    if (paragraph.to - (batch[0]?.from ?? 0) < batchLength) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Yields the ends of the sentences in some paragraphs that follow each other, as offsets in the text. A paragraph ends one. */
function* findSentenceEnds(text: string, paragraphs: readonly Paragraph[]): Generator<number> {
  // The segmenter ends a sentence at a line break, but most line breaks here are from the layout.
  const lines = paragraphs.map(({ from, to }) => text.slice(from, to).replaceAll(/[\r\n]/gu, ' '));
  const joined = lines
    .map((line, i) => (i < lines.length - 1 ? line.slice(0, -1) + paragraphSeparator : line))
    .join('');
  const start = paragraphs[0]?.from ?? 0;
  for (const { segment, index } of sentences.segment(joined)) yield start + index + segment.length;
}

function* splitUnits(text: string): Generator<Unit> {
  for (const batch of listBatches(text)) {
    const ends = findSentenceEnds(text, batch);
    for (const { from, to } of batch) {
      const paragraph = text.slice(from, to);
      const heading = isHeading(paragraph.trim());
      for (let at = from, end = from; end < to; ) {
        end = ends.next().value ?? to;
        if (heading && end < to) continue;
        while (end - at > sizes.unit) {
          at += findCut(text.slice(at, Math.min(end, at + sizes.unit + lookahead)));
          yield { end: at, rank: endRanks.within };
        }
        yield { end, rank: heading ? endRanks.heading : end === to ? endRanks.paragraph : endRanks.sentence };
        at = end;
      }
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

function* splitPage({ number: page, text }: PageText): Generator<Passage> {
  const source = splitUnits(text);
  const total = text.length;
  let units: Unit[] = []; // of the next passage, preceded by up to two that it may repeat: a text can have 15 million
  let first = 0;
  let shownFrom = 0;
  let start = 0;
  while (start < total) {
    for (let reached = units.at(-1)?.end ?? 0; reached - start <= sizes.target + sizes.leeway; ) {
      const { done, value } = source.next();
      if (done) break;
      units.push(value);
      reached = value.end;
    }
    const rest = total - start;
    const parts = Math.ceil((rest - sizes.leeway) / sizes.target);
    const last = parts <= 1 ? units.length - 1 : findEnd(units, first, start, rest / parts);
    const end = units[last]?.end ?? total;
    yield { page, text: text.slice(shownFrom, end).trim() };
    shownFrom = findOverlap(units, last, start);
    start = end;
    const kept = Math.max(0, last - 1);
    units = units.slice(kept);
    first = last + 1 - kept;
  }
}

const startsInSentence = /^[\p{Ll}\p{Lo}]/u;

/** Moves the end of a sentence that continues on the next page to the page where it began. */
function joinSentences(pages: readonly PageText[]): PageText[] {
  const result: PageText[] = [];
  let ending = ''; // of the last page, whose text may have been put together from many
  for (const { number, text } of pages) {
    let rest = text.toWellFormed().trim();
    const before = result.at(-1);
    if (before && startsInSentence.test(rest) && !sentenceEnd.test(ending)) {
      const { done, value } = splitUnits(rest.slice(0, sizes.unit + lookahead)).next();
      if (!done) {
        const moved = `\n${rest.slice(0, value.end).trim()}`;
        before.text += moved;
        ending = `${ending}${moved}`.slice(-endingLength);
        rest = rest.slice(value.end).trim();
      }
    }
    if (rest === '') continue;
    result.push({ number, text: rest });
    ending = rest.slice(-endingLength);
  }
  return result;
}

/**
 * Splits the pages of a document into passages of up to 1,200 UTF-16 units, of similar length within a page. A passage ends after a
 * paragraph or sentence if possible, and starts with the last sentences of the previous one if they are short. It crosses a page break
 * only to finish a sentence. The same pages always give the same passages.
 */
export function splitPassages(pages: readonly PageText[]): Passage[] {
  return joinSentences(pages).flatMap((page) => [...splitPage(page)].filter(({ text }) => text !== ''));
}
