import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '../shared/search/passages.ts';

/** Real text, questions to it, and what several benchmarks do with numbers. */

export const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'data', `${name}.json`), 'utf8'));

/** Pages of fairy-tales.pdf. */
export const tales: string[] = read('fairy-tales');

/** Spoken questions, of which many have words that no passage holds. */
export const queries: string[] = read('questions').map(({ question }: { question: string }) => question);

/** A word that stands for another in one copy of the tales, so that a long document has many different words. */
const renamed = (word: string, copy: number) => `${word}${(copy * 7919 + word.length * 31).toString(36)}`;

/** Copies of the tales, in each of which a fifth of the longer words are its own. */
export const copyOf = (copy: number): PageText[] =>
  tales.map((text, i) => ({
    number: i + 1,
    text: text.replace(/\b[a-z]{5,}\b/g, (word) =>
      (word.charCodeAt(1) + word.length + copy) % 5 ? word : renamed(word, copy),
    ),
  }));

/** So many characters out of copies of the tales, which begin at another page in each document. */
export function documentOf(number: number, characters: number): string {
  const pages: string[] = [];
  for (let copy = number, length = 0; length < characters; copy += 1_000) {
    const all = copyOf(copy).map(({ text }) => text);
    const from = (number * 7) % all.length;
    const turned = [...all.slice(from), ...all.slice(0, from)];
    pages.push(...turned);
    length += turned.reduce((sum, text) => sum + text.length + 2, 0);
  }
  return pages.join('\n\n').slice(0, characters);
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What so many turns of a call could say: each another sentence of the tales, or two where the first is short. */
export function spoken(turns: number): string[] {
  const all = tales.flatMap((page) =>
    [...sentences.segment(page.replaceAll(/\s+/gu, ' '))].map(({ segment }) => segment.trim()).filter(Boolean),
  );
  const said: string[] = [];
  for (let at = 0; said.length < turns && at < all.length; ) {
    const [first = '', second = ''] = all.slice(at, at + 2);
    const short = first.length < 30;
    said.push(short ? `${first} ${second}` : first);
    at += short ? 2 : 1;
  }
  if (said.length < turns) throw new Error(`The tales have ${said.length} turns only`);
  return said;
}

/** The number below which a share of them lie. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** What a table of times was measured on. */
export const machine = () => `Node ${process.versions.node}, ${availableParallelism()} cores, ${process.arch}`;
