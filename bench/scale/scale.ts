import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { createProgressLine, type ShowProgress } from '../../infra/terminal/progress.ts';
import { run } from '../../infra/terminal/user-error.ts';
import { describeConditions, getLoad } from '../compare/conditions.ts';
import { measureSites, type Site } from './measure.ts';
import { buildPlot } from './plot.ts';
import { buildRequests } from './requests.ts';
import { type DataAmount, listGrowing, readScale, type Scale, writeScale } from './results.ts';
import { createSample, type Sample } from './sample.ts';
import { buildSection, replaceSection } from './section.ts';
import { openStage, type Stage } from './stage.ts';
import { createWorld, toDataSize } from './world.ts';

/** Amounts of data, as multiples of the smallest. The slowest to fill comes last. */
const dataMultiples = [1, 10, 100];

const pagePath = 'docs/benchmarks.md';
const plotPath = 'docs/scale.svg';

interface FilledStage {
  site: Site;
  amount: DataAmount;
}

/** Fills a stage with a multiple of the smallest amount of data. */
async function fillStage(stage: Stage, specimen: Sample, times: number, say: ShowProgress): Promise<FilledStage> {
  const size = toDataSize(times);
  const { users, each, builder, callCentre } = size;
  const onProgress = (count: number) => say(`${times} × the data: ${count.toLocaleString('en')} rows`);
  const world = await createWorld({ ...stage, specimen, size, onProgress });
  const all = (of: 'assistants' | 'sessions') => builder[of] + callCentre[of] + users * each[of];
  return {
    site: { requests: buildRequests(world), functions: stage.functions },
    amount: {
      times,
      users: users + 2,
      assistants: { all: all('assistants'), ofOne: builder.assistants },
      sessions: { all: all('sessions'), ofOne: callCentre.sessions },
      rows: world.rows,
    },
  };
}

const usage = `Usage: npm run bench:scale
Measures every endpoint with 1, 10 and 100 times the data. Writes a section of docs/benchmarks.md.`;

/**
 * Measures every endpoint with 1, 10 and 100 times the data. Writes the results, a plot, and a section of docs/benchmarks.md. Exits
 * with 1 if a request takes more units or round trips with more data.
 */
run(async () => {
  readArguments(usage);
  const loadBefore = getLoad();
  const say = createProgressLine();
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-scale-'));
  const stages: Stage[] = [];
  try {
    const filledStages: FilledStage[] = [];
    let specimen: Sample | undefined;
    for (const times of dataMultiples) {
      const stage = await openStage(join(dir, `${times}`));
      stages.push(stage);
      specimen ??= await createSample(stage);
      filledStages.push(await fillStage(stage, specimen, times, say));
      await stage.stopBackgroundWork();
    }
    const requests = await measureSites(
      filledStages.map(({ site }) => site),
      say,
    );
    const measuredOn = describeConditions(loadBefore);
    const scale: Scale = { measuredOn, amounts: filledStages.map(({ amount }) => amount), requests };
    const grown = listGrowing(requests);
    const what = 'Every endpoint with 1, 10 and 100 times the data: units and round trips';
    writeScale({ what, command: 'npm run bench:scale', cases: requests.length, failures: grown.length }, scale);
    const stored = readScale(); // rounded, as in the file
    writeFileSync(plotPath, buildPlot(stored));
    writeFileSync(pagePath, replaceSection(readFileSync(pagePath, 'utf8'), buildSection(stored)));
    for (const sentence of grown) console.error(sentence);
    console.log(`${requests.length} requests: see ${pagePath}#scale`);
    process.exitCode = grown.length > 0 ? 1 : 0;
  } finally {
    for (const stage of stages) await stage.stop();
    rmSync(dir, { recursive: true });
  }
});
