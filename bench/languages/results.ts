import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../../infra/terminal/markdown.ts';

/** Mean reciprocal ranks of a public set. */
export interface SetResult {
  language: string;
  name: string;
  texts: number;
  questions: number;
  tuned: number;
  heldOut: number;
}

/** Saved results. `before` has those of English endings and no accents in every language. */
interface Results {
  measuredOn: string;
  before: SetResult[];
  now: SetResult[];
}

const file = join(import.meta.dirname, 'results.json');

const readResults = (): Results => JSON.parse(readFileSync(file, 'utf8'));

/** Saves results beside the earlier ones, for docs/benchmarks.md. */
export function writeResults(measuredOn: string, now: SetResult[]): void {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
  writeFileSync(file, `${JSON.stringify({ measuredOn, before: readResults().before, now }, round, 2)}\n`);
}

const average = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const names = new Intl.DisplayNames('en', { type: 'language' });

/** Builds the section of docs/benchmarks.md. */
export function buildLanguageSection(): string {
  const { measuredOn, before, now } = readResults();
  const formatRow = (one: SetResult): string[] => {
    const old = before.find(({ language, name }) => language === one.language && name === one.name) ?? one;
    const mrrs = [old.tuned, one.tuned, old.heldOut, one.heldOut].map((mrr) => mrr.toFixed(3));
    return [names.of(one.language) ?? one.language, one.name, String(one.texts), String(one.questions), ...mrrs];
  };
  const formatMeans = () => {
    const both = [before.map(({ tuned }) => tuned), now.map(({ tuned }) => tuned)];
    const held = [before.map(({ heldOut }) => heldOut), now.map(({ heldOut }) => heldOut)];
    return ['Mean', '', '', '', ...[...both, ...held].map((mrrs) => average(mrrs).toFixed(3))];
  };
  const heads = [
    'Language',
    'Set',
    'Paragraphs:',
    'Questions:',
    'Tuned on, before:',
    'now:',
    'Held out, before:',
    'now:',
  ];
  return `## Search by language

How high search ranks the paragraph that answers a question: the mean reciprocal rank within the first ten (MRR@10) of public sets,
with all paragraphs of a set as one document. Rules were chosen by half of the paragraphs; the other half was held out. *Before* removed English
endings and all accents in every language.

Measured on ${measuredOn}. \`npm run bench:retrieval -- --sets ~/question-sets\` downloads the sets and measures them.

${formatTable(heads, [...now.map(formatRow), formatMeans()])}
`;
}
