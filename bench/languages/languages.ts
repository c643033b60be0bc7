import { readFileSync, writeFileSync } from 'node:fs';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { formatTable } from '../../infra/terminal/markdown.ts';
import { run } from '../../infra/terminal/user-error.ts';
import { describeConditions, getLoad } from '../compare/conditions.ts';
import { replaceSection } from '../scale/section.ts';
import { measureRanks, readSample } from './measure.ts';
import { buildLanguageSection, type SetResult, writeResults } from './results.ts';
import { publicSets, readPublicSet } from './sets.ts';

const usage = `Usage: npm run bench:retrieval -- [--sets <folder>] [--save]
Measures search in 13 languages with the sample in bench/data/languages.json. With --sets, measures public question sets from a folder,
and downloads those that are missing. With --save, writes the results into docs/benchmarks.md.`;

run(async () => {
  const { values } = readArguments(usage, { options: { sets: { type: 'string' }, save: { type: 'boolean' } } });
  const load = getLoad();
  const sample = readSample().map(([language, set]) => [language, measureRanks(set).tuned.toFixed(3)]);
  console.log(`\n${formatTable(['Sample', 'MRR@10:'], sample)}`);
  if (!values.sets) return;

  console.log(`\n| Set | Texts | Questions | Tuned on, MRR@10 | Held out |\n|---|---:|---:|---:|---:|`);
  const results: SetResult[] = [];
  for (const one of publicSets) {
    const set = await readPublicSet(one, values.sets);
    const { language, name } = one;
    const result = { language, name, texts: set.texts.length, questions: set.questions.length, ...measureRanks(set) };
    const { texts, questions, tuned, heldOut } = result;
    console.log(`| ${language}, ${name} | ${texts} | ${questions} | ${tuned.toFixed(4)} | ${heldOut.toFixed(4)} |`);
    results.push(result);
  }
  if (!values.save) return;
  const page = 'docs/benchmarks.md';
  writeResults(describeConditions(load), results);
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), buildLanguageSection()));
});
