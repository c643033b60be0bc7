import MiniSearch from 'minisearch';
import { encodeIndex } from '../shared/search/encode.ts';
import { openIndex } from '../shared/search/open.ts';
import { type Passage, passagesOf } from '../shared/search/passages.ts';
import { search } from '../shared/search/search.ts';
import { termOf, wordsOf } from '../shared/search/words.ts';
import { read } from './corpus.ts';

/**
 * How often a spoken question finds the page that answers it, with all documents attached. Prints two tables, and with
 * `--misses` the questions whose answer is not among five. The tales and the form are pages of fairy-tales.pdf and
 * tax-form.pdf as unpdf 1.8.1 reads them; the other documents, and all questions, were written by hand. The weights in
 * shared/search were chosen on every other question.
 */

interface Question {
  document: string;
  kind: string;
  question: string;
  /** Each of them holds the answer. */
  pages: number[];
}

const documents = ['fairy-tales', 'tax-form', 'mietordnung', 'hotel', 'gimnasio', 'clinic-zh', 'library-ja'];
const questions: Question[] = read('questions');
const passages: Passage[][] = documents.map((name) =>
  passagesOf((read(name) as string[]).map((text, i) => ({ number: i + 1, text }))),
);
const all = passages.flatMap((list, document) =>
  list.map((passage, i) => ({ id: `${document}/${i}`, document, ...passage })),
);
type Found = { document: number; page: number | null };

/** Passages by how many words of the query they hold as written, parted at what is no letter. */
function overlap(query: string): Found[] {
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

/** With our words; its own tolerance of spelling and its prefixes find less here. */
const withOurWords = new MiniSearch({
  fields: ['text'],
  storeFields: ['document', 'page'],
  tokenize: wordsOf,
  processTerm: termOf,
});
withOurWords.addAll(all);

const foundBy = (engine: MiniSearch) => (query: string) =>
  engine.search(query).map(({ document, page }) => ({ document, page }));

const indexes = passages.map((list) => openIndex(encodeIndex(list)));

const engines: Record<string, (query: string) => Found[]> = {
  'shared words': overlap,
  MiniSearch: foundBy(miniSearch),
  'MiniSearch, our words': foundBy(withOurWords),
  'shared/search': (query) =>
    search(indexes, query, 20).map(({ index, passage }) => ({ document: index, page: passage.page })),
};

/** The place of the first passage that answers, from 1; Infinity where there is none among twenty. */
function placeOf(found: Found[], { document, pages }: Question): number {
  const right = ({ document: number, page }: Found) => documents[number] === document && pages.includes(page ?? 0);
  const place = found.slice(0, 20).findIndex(right);
  return place < 0 ? Infinity : place + 1;
}

function row(name: string, places: number[]): string {
  const share = (within: number) =>
    ((100 * places.filter((place) => place <= within).length) / places.length).toFixed(0);
  const mrr = places.reduce((sum, place) => sum + 1 / place, 0) / places.length;
  return `| ${name} | ${places.length} | ${share(1)} | ${share(5)} | ${mrr.toFixed(3)} |`;
}

function table(title: string, groups: Map<string, Question[]>) {
  console.log(`\n| ${title} | Questions | First, % | Among five, % | MRR |\n|---|---:|---:|---:|---:|`);
  for (const [group, asked] of groups) {
    for (const [engine, ask] of Object.entries(engines)) {
      console.log(
        row(
          `${group}, ${engine}`,
          asked.map((question) => placeOf(ask(question.question), question)),
        ),
      );
    }
  }
}

const half = (rest: number) => questions.filter((_, i) => i % 2 === rest);
table(
  'Halves',
  new Map([
    ['tuned on', half(0)],
    ['held out', half(1)],
    ['all', questions],
  ]),
);
table(
  'Kinds',
  Map.groupBy(questions, ({ kind }) => kind),
);
if (process.argv.includes('--misses')) {
  for (const question of questions) {
    const place = placeOf(engines['shared/search']?.(question.question) ?? [], question);
    if (place > 5) console.log(place, question.question, question.pages.join());
  }
}
