import MiniSearch from 'minisearch';
import { encodeIndex } from '../shared/search/encode.ts';
import { openIndex } from '../shared/search/open.ts';
import { type Passage, splitPassages } from '../shared/search/passages.ts';
import { search } from '../shared/search/search.ts';
import { toTerm } from '../shared/search/stems.ts';
import { splitWords } from '../shared/search/words.ts';
import { readData } from './corpus.ts';

/**
 * Measures how often a spoken question finds the page with its answer, with all documents attached. Prints two tables, and with
 * `--misses` the questions without an answer among the first five passages. The tales and the form are pages of fairy-tales.pdf and
 * tax-form.pdf, extracted by unpdf 1.8.1. The other documents and all questions were written by hand. The weights in shared/search
 * were tuned on every other question.
 */

interface Question {
  document: string;
  kind: string;
  question: string;
  /** Numbers of the pages that contain the answer. */
  pages: number[];
}

const documents = ['fairy-tales', 'tax-form', 'mietordnung', 'hotel', 'gimnasio', 'clinic-zh', 'library-ja'];
const questions: Question[] = readData('questions');
const passages: Passage[][] = documents.map((name) =>
  splitPassages((readData(name) as string[]).map((text, i) => ({ number: i + 1, text }))),
);
const all = passages.flatMap((list, document) =>
  list.map((passage, i) => ({ id: `${document}/${i}`, document, ...passage })),
);
type Found = { document: number; page: number | null };

/** Ranks passages by the number of query words that they contain unchanged. */
function rankByOverlap(query: string): Found[] {
  const words = new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const shared = all.map((passage) => {
    const held = new Set(passage.text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    return { passage, count: [...words].filter((word) => held.has(word)).length };
  });
  const found = shared.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
  return found.map(({ passage }) => passage);
}

const miniSearch = new MiniSearch({ fields: ['text'], storeFields: ['document', 'page'] });
miniSearch.addAll(all);

/** MiniSearch with the tokenizer of shared/search. Its own fuzzy and prefix search find less here. */
const withOurWords = new MiniSearch({
  fields: ['text'],
  storeFields: ['document', 'page'],
  tokenize: (text) => splitWords(text),
  processTerm: (word) => toTerm(word),
});
withOurWords.addAll(all);

const toEngine = (engine: MiniSearch) => (query: string) =>
  engine.search(query).map(({ document, page }) => ({ document, page }));

const indexes = passages.map((list) => openIndex(encodeIndex(list)));

const engines: Record<string, (query: string) => Found[]> = {
  'shared words': rankByOverlap,
  MiniSearch: toEngine(miniSearch),
  'MiniSearch, our words': toEngine(withOurWords),
  'shared/search': (query) =>
    search(indexes, query, 20).map(({ index, passage }) => ({ document: index, page: passage.page })),
};

/** Returns the rank of the first passage with the answer, from 1; Infinity if the first twenty have none. */
function findRank(found: Found[], { document, pages }: Question): number {
  const right = ({ document: number, page }: Found) => documents[number] === document && pages.includes(page ?? 0);
  const place = found.slice(0, 20).findIndex(right);
  return place < 0 ? Infinity : place + 1;
}

function formatRow(name: string, places: number[]): string {
  const share = (within: number) =>
    ((100 * places.filter((place) => place <= within).length) / places.length).toFixed(0);
  const mrr = places.reduce((sum, place) => sum + 1 / place, 0) / places.length;
  return `| ${name} | ${places.length} | ${share(1)} | ${share(5)} | ${mrr.toFixed(3)} |`;
}

function printTable(title: string, groups: Map<string, Question[]>) {
  console.log(`\n| ${title} | Questions | First, % | Among five, % | MRR |\n|---|---:|---:|---:|---:|`);
  for (const [group, asked] of groups) {
    for (const [engine, ask] of Object.entries(engines)) {
      console.log(
        formatRow(
          `${group}, ${engine}`,
          asked.map((question) => findRank(ask(question.question), question)),
        ),
      );
    }
  }
}

const selectHalf = (rest: number) => questions.filter((_, i) => i % 2 === rest);
printTable(
  'Halves',
  new Map([
    ['tuned on', selectHalf(0)],
    ['held out', selectHalf(1)],
    ['all', questions],
  ]),
);
printTable(
  'Kinds',
  Map.groupBy(questions, ({ kind }) => kind),
);
if (process.argv.includes('--misses')) {
  for (const question of questions) {
    const place = findRank(engines['shared/search']?.(question.question) ?? [], question);
    if (place > 5) console.log(place, question.question, question.pages.join());
  }
}
