import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { run } from '../../infra/terminal/user-error.ts';
import { describeConditions, getLoad } from '../compare/conditions.ts';
import { replaceSection } from '../scale/section.ts';
import { measureQuality } from './quality.ts';
import { buildDocumentSection, formatSummaries, writeResults } from './results.ts';

const usage = `Usage: npm run bench:ingestion -- [--corpus <folder> [--mirrors <folder>] [--kinds docx,odt] [--processes 2] [--save]]
Measures the time and memory of ingestion. With --corpus, measures how much of public documents is read instead: downloads those that are
missing into the folder, or takes them from a folder of git repositories named owner+name, and compares the text with that of other
programs: apt-get install poppler-utils pandoc tesseract-ocr imagemagick libreoffice-writer libreoffice-calc libreoffice-impress. With --save, writes the results into
docs/benchmarks.md.`;

run(async () => {
  const { values } = readArguments(usage, {
    options: {
      corpus: { type: 'string' },
      mirrors: { type: 'string' },
      kinds: { type: 'string' },
      processes: { type: 'string' },
      save: { type: 'boolean' },
    },
  });
  if (!values.corpus) {
    await import('./resources.ts');
    return;
  }
  const load = getLoad();
  const folder = resolve(values.corpus);
  const kinds = await measureQuality({
    folder,
    mirrors: values.mirrors,
    kinds: values.kinds?.split(','),
    processes: Number(values.processes ?? availableParallelism()),
  });
  console.log(`\n${formatSummaries(kinds)}\n\nEach file, with the words that are missing: ${folder}/comparison.json`);
  if (!values.save) return;
  const page = 'docs/benchmarks.md';
  writeResults(describeConditions(load), kinds);
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), buildDocumentSection()));
});
