import MiniSearch from 'minisearch';
import { encodeIndex } from '../shared/search/encode.ts';
import { openIndex } from '../shared/search/open.ts';
import { passagesOf } from '../shared/search/passages.ts';
import { search } from '../shared/search/search.ts';
import { copyOf, quantile, queries } from './corpus.ts';

/**
 * How fast ten thousand passages are cut, indexed, opened and searched, in one knowledge base or many, by questions of
 * which many have words that no passage holds. Prints a table.
 */

const passagesWanted = 10_000;

/** The shortest of some runs, which the neighbours on a shared machine disturb least, and what the first one gave. */
function timed<T>(run: () => T, times = 1): { value: T; ms: number } {
  const startedAt = performance.now();
  const value = run();
  const ms = performance.now() - startedAt;
  return times === 1 ? { value, ms } : { value, ms: Math.min(ms, timed(run, times - 1).ms) };
}

const spread = (times: number[]) => [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1)).join(' | ');

const pages = Array.from({ length: Math.ceil(passagesWanted / passagesOf(copyOf(0)).length) }, (_, copy) =>
  copyOf(copy),
);
const cut = timed(() => passagesOf(pages.flat()));
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

  const encoded = timed(() => bases.map(encodeIndex), 3);
  const opened = timed(() => encoded.value.map(openIndex), 3);
  const first = timed(() => search(opened.value, queries[0] ?? '', 5));
  const warm = queries.map((query) => timed(() => search(opened.value, query, 5), 5).ms);
  const kilobytes = encoded.value.reduce((sum, { length }) => sum + length, 0) / 1000;
  const own = [encoded.ms, kilobytes, opened.ms].map((value) => value.toFixed(0)).join(' | ');
  console.log(`| ${count} | shared/search | ${own} | ${first.ms.toFixed(1)} | ${spread(warm)} |`);

  const options = { fields: ['text'], storeFields: ['text', 'page'] };
  const made = timed(() =>
    bases.map((base) => {
      const index = new MiniSearch(options);
      index.addAll(base.map((passage, id) => ({ id, ...passage })));
      return JSON.stringify(index);
    }),
  );
  const loaded = timed(() => made.value.map((json) => MiniSearch.loadJSON(json, options)), 3);
  // their scores do not compare over several indexes; this is the time alone
  const ask = (query: string) => loaded.value.flatMap((index) => index.search(query).slice(0, 5));
  const firstOther = timed(() => ask(queries[0] ?? ''));
  const warmOther = queries.map((query) => timed(() => ask(query), 5).ms);
  const json = made.value.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1000;
  const other = [made.ms, json, loaded.ms].map((value) => value.toFixed(0)).join(' | ');
  console.log(`| ${count} | MiniSearch | ${other} | ${firstOther.ms.toFixed(1)} | ${spread(warmOther)} |`);
}
