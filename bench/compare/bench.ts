import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../infra/problem.ts';
import { circumstances, loadNow } from './circumstances.ts';
import { measureFunctions } from './functions.ts';
import { goalsOf, isHit } from './goals.ts';
import { heldRatios } from './held.ts';
import { measureCold, measureWarm, soak } from './measure.ts';
import { page } from './page.ts';
import { writeRecorded } from './recorded.ts';
import type { Soaked } from './results.ts';
import { buildNames, bundleStacks, stacks } from './stacks.ts';
import { seed, startWorld } from './world.ts';

const starts = 11;
const functionStarts = 5;
const calls = { rounds: 4, warmUp: 400, blocks: 20, calls: 20 };
const soakCalls = 25_000;

/** Measures this service beside what teams use instead. Writes docs/benchmarks.md, and the ratios that `bench:check` holds. */
run(async () => {
  const loadBefore = loadNow();
  const world = await startWorld();
  const tell = (what: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${what} …`);
  try {
    tell('Bundling');
    const bundles = await bundleStacks(world.dir, { stacks, builds: buildNames });
    await seed(world, bundles);
    tell('Starts');
    const cold = await measureCold(world, bundles, starts);
    tell('Calls');
    const tuned = bundles.filter(({ build }) => build === 'tuned');
    const warm = await measureWarm(world, tuned, calls);
    tell('Memory');
    const soaked: Soaked[] = [];
    for (const bundle of tuned.filter(({ stack }) => stack === 'ours' || stack === 'hand-written')) {
      const { stack, endpoint } = bundle;
      soaked.push({ stack, endpoint, calls: soakCalls, probed: await soak(world, bundle, soakCalls) });
    }
    tell('Every function');
    const functions = await measureFunctions(join(world.dir, 'services'), functionStarts);
    tell('What bench:check holds');
    const ratios = await heldRatios(world);

    const measuredOn = circumstances(loadBefore);
    const results = { measuredOn, cold, warm, soaked, functions };
    writeRecorded(measuredOn, ratios);
    writeFileSync('docs/benchmarks.md', page(results));
    const goals = goalsOf(results);
    console.log(`${goals.filter(isHit).length} of ${goals.length} goals are hit: see docs/benchmarks.md`);
  } finally {
    await world.stop();
  }
});
