import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../infra/problem.ts';
import { progress, type Say } from '../../infra/progress.ts';
import { circumstances, loadNow } from '../compare/circumstances.ts';
import { measureSites, type Site } from './measure.ts';
import { plotOf } from './plot.ts';
import { askingsOf } from './requests.ts';
import { type Amount, growing, readScale, type Scale, writeScale } from './results.ts';
import { sectionOf, withSection } from './section.ts';
import { type Specimen, specimenIn } from './specimen.ts';
import { openStage, type Stage } from './stage.ts';
import { sizeOf, worldIn } from './world.ts';

/** How many times the least data there is; what takes longest to fill comes last. */
const amountsOfData = [1, 10, 100];

const page = 'docs/benchmarks.md';
const plot = 'docs/scale.svg';

interface Filled {
  site: Site;
  amount: Amount;
}

/** Fills a stage with so many times the least data. */
async function fill(stage: Stage, specimen: Specimen, times: number, say: Say): Promise<Filled> {
  const size = sizeOf(times);
  const { users, each, builder, callCentre } = size;
  const tell = (count: number) => say(`${times} × the data: ${count.toLocaleString('en')} rows`);
  const world = await worldIn({ ...stage, specimen, size, tell });
  const all = (of: 'assistants' | 'sessions') => builder[of] + callCentre[of] + users * each[of];
  return {
    site: { askings: askingsOf(world), functions: stage.functions },
    amount: {
      times,
      users: users + 2,
      assistants: { all: all('assistants'), ofOne: builder.assistants },
      sessions: { all: all('sessions'), ofOne: callCentre.sessions },
      rows: world.rows,
    },
  };
}

/**
 * Measures every endpoint with 1, 10 and 100 times the data. Writes what it has measured, a plot of it, and its section of
 * docs/benchmarks.md. Ends with 1 where a request takes more units or round trips because there is more data.
 */
run(async () => {
  const loadBefore = loadNow();
  const say = progress();
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-scale-'));
  const stages: Stage[] = [];
  try {
    const filled: Filled[] = [];
    let specimen: Specimen | undefined;
    for (const times of amountsOfData) {
      const stage = await openStage(join(dir, `${times}`));
      stages.push(stage);
      specimen ??= await specimenIn(stage);
      filled.push(await fill(stage, specimen, times, say));
      await stage.rest();
    }
    const requests = await measureSites(
      filled.map(({ site }) => site),
      say,
    );
    const measuredOn = circumstances(loadBefore);
    const scale: Scale = { measuredOn, amounts: filled.map(({ amount }) => amount), requests };
    const grown = growing(requests);
    const what = 'Every endpoint with 1, 10 and 100 times the data: units and round trips';
    writeScale({ what, command: 'npm run bench:scale', cases: requests.length, failures: grown.length }, scale);
    const kept = readScale(); // rounded: the page says what its file says
    writeFileSync(plot, plotOf(kept));
    writeFileSync(page, withSection(readFileSync(page, 'utf8'), sectionOf(kept)));
    for (const sentence of grown) console.error(sentence);
    console.log(`${requests.length} requests: see ${page}#scale`);
    process.exitCode = grown.length > 0 ? 1 : 0;
  } finally {
    for (const stage of stages) await stage.stop();
    rmSync(dir, { recursive: true });
  }
});
