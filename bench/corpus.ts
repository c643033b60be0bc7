import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { PageText } from '../shared/search/passages.ts';

export const readData = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'data', `${name}.json`), 'utf8'));

/** Text of each page of fairy-tales.pdf. */
export const tales: string[] = readData('fairy-tales');

/** Spoken questions. Many contain words that no passage has. */
export const queries: string[] = readData('questions').map(({ question }: { question: string }) => question);

/** Returns a replacement for a word in one copy of the tales. Gives a long document many different words. */
const renameWord = (word: string, copy: number) => `${word}${(copy * 7919 + word.length * 31).toString(36)}`;

/** Builds a copy of the tales with a fifth of the longer words made unique. */
export const buildCopy = (copy: number): PageText[] =>
  tales.map((text, i) => ({
    number: i + 1,
    text: text.replace(/\b[a-z]{5,}\b/g, (word) =>
      (word.charCodeAt(1) + word.length + copy) % 5 ? word : renameWord(word, copy),
    ),
  }));

/** Builds a document of the given length from copies of the tales. Each document starts at another page. */
export function buildDocument(number: number, characters: number): string {
  const pages: string[] = [];
  for (let copy = number, length = 0; length < characters; copy += 1_000) {
    const all = buildCopy(copy).map(({ text }) => text);
    const from = (number * 7) % all.length;
    const turned = [...all.slice(from), ...all.slice(0, from)];
    pages.push(...turned);
    length += turned.reduce((sum, text) => sum + text.length + 2, 0);
  }
  return pages.join('\n\n').slice(0, characters);
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Builds the texts of a call's turns: each a different sentence of the tales, or two if the first is short. */
export function buildTurns(turns: number): string[] {
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
  if (said.length < turns) throw new Error(`The tales have enough text for ${said.length} turns only`);
  return said;
}

/** Returns a quantile of some numbers. `share` is between 0 and 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** Describes the machine of a measurement. */
export const describeMachine = () => `Node ${process.versions.node}, ${availableParallelism()} cores, ${process.arch}`;
