import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { encodeIndex } from '../shared/search/encode.ts';
import { openIndex } from '../shared/search/open.ts';
import { type PageText, passagesOf } from '../shared/search/passages.ts';
import { search } from '../shared/search/search.ts';

/**
 * How fast ten thousand passages are cut, indexed, opened and searched, in one knowledge base or many, by questions of
 * which many have words that no passage holds. Prints a table.
 */

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'data', `${name}.json`), 'utf8'));
const tales: string[] = read('fairy-tales');
const queries: string[] = read('questions').map(({ question }: { question: string }) => question);

const passagesWanted = 10_000;

/** A word that stands for another in one copy of the tales, so that a long document has many different words. */
const renamed = (word: string, copy: number) => `${word}${(copy * 7919 + word.length * 31).toString(36)}`;

/** Copies of the tales, in each of which a fifth of the longer words are its own. */
const copyOf = (copy: number): PageText[] =>
  tales.map((text, i) => ({
    number: i + 1,
    text: text.replace(/\b[a-z]{5,}\b/g, (word) =>
      (word.charCodeAt(1) + word.length + copy) % 5 ? word : renamed(word, copy),
    ),
  }));

/** The shortest of some runs, which the neighbours on a shared machine disturb least, and what the first one gave. */
function timed<T>(run: () => T, times = 1): { value: T; ms: number } {
  const startedAt = performance.now();
  const value = run();
  const ms = performance.now() - startedAt;
  return times === 1 ? { value, ms } : { value, ms: Math.min(ms, timed(run, times - 1).ms) };
}

function spread(times: number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  return `${at(0.5)} | ${at(0.95)} | ${at(1)}`;
}

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
