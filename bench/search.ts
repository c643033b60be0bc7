import MiniSearch from 'minisearch';
import { encodeIndex } from '../shared/search/encode.ts';
import { openIndex } from '../shared/search/open.ts';
import { splitPassages } from '../shared/search/passages.ts';
import { search } from '../shared/search/search.ts';
import { buildCopy, quantile, queries } from './corpus.ts';

/**
 * Measures how fast 10,000 passages are split, indexed, opened and searched, in one knowledge base or many. Many of the questions
 * contain words that no passage has. Prints a table.
 */

const passagesWanted = 10_000;

/** Returns the result of the first run and the shortest time of all runs, which other load on a shared machine disturbs least. */
function measure<T>(run: () => T, times = 1): { value: T; ms: number } {
  const startedAt = performance.now();
  const value = run();
  const ms = performance.now() - startedAt;
  return times === 1 ? { value, ms } : { value, ms: Math.min(ms, measure(run, times - 1).ms) };
}

const formatSpread = (times: number[]) => [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1)).join(' | ');

const pages = Array.from({ length: Math.ceil(passagesWanted / splitPassages(buildCopy(0)).length) }, (_, copy) =>
  buildCopy(copy),
);
const cut = measure(() => splitPassages(pages.flat()));
const passages = cut.value.slice(0, passagesWanted);
const megabytes = passages.reduce((sum, { text }) => sum + text.length, 0) / 1e6;
console.log(`${passages.length} passages, ${megabytes.toFixed(1)} MB of text, cut in ${cut.ms.toFixed(0)} ms\n`);
console.log(
  '| Knowledge bases | Engine | Encode, ms | Object, KB | Open, ms | First search, ms | Median, ms | 95 %, ms | Longest, ms |',
);
console.log('|---:|---|---:|---:|---:|---:|---:|---:|---:|');

for (const count of [1, 10, 50]) {
  const size = passagesWanted / count;
  const bases = Array.from({ length: count }, (_, i) => passages.slice(i * size, (i + 1) * size));

  const encoded = measure(() => bases.map((base) => encodeIndex(base)), 3);
  const opened = measure(() => encoded.value.map(openIndex), 3);
  const first = measure(() => search(opened.value, queries[0] ?? '', 5));
  const warm = queries.map((query) => measure(() => search(opened.value, query, 5), 5).ms);
  const kilobytes = encoded.value.reduce((sum, { length }) => sum + length, 0) / 1000;
  const own = [encoded.ms, kilobytes, opened.ms].map((value) => value.toFixed(0)).join(' | ');
  console.log(`| ${count} | shared/search | ${own} | ${first.ms.toFixed(1)} | ${formatSpread(warm)} |`);

  const options = { fields: ['text'], storeFields: ['text', 'page'] };
  const made = measure(() =>
    bases.map((base) => {
      const index = new MiniSearch(options);
      index.addAll(base.map((passage, id) => ({ id, ...passage })));
      return JSON.stringify(index);
    }),
  );
  const loaded = measure(() => made.value.map((json) => MiniSearch.loadJSON(json, options)), 3);
  // Measures the time only: MiniSearch's scores are not comparable across indexes.
  const ask = (query: string) => loaded.value.flatMap((index) => index.search(query).slice(0, 5));
  const firstOther = measure(() => ask(queries[0] ?? ''));
  const warmOther = queries.map((query) => measure(() => ask(query), 5).ms);
  const json = made.value.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1000;
  const other = [made.ms, json, loaded.ms].map((value) => value.toFixed(0)).join(' | ');
  console.log(`| ${count} | MiniSearch | ${other} | ${firstOther.ms.toFixed(1)} | ${formatSpread(warmOther)} |`);
}
