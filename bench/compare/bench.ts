import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { run } from '../../infra/terminal/user-error.ts';
import { describeConditions, getLoad } from './conditions.ts';
import { measureFunctions } from './functions.ts';
import { buildGoals, isMet } from './goals.ts';
import { measureCold, measureSoak, measureWarm } from './measure.ts';
import { measureRatios } from './measure-ratios.ts';
import { buildPage } from './page.ts';
import { writeRecorded } from './recorded.ts';
import type { SoakResult } from './results.ts';
import { buildNames, bundleStacks, stacks } from './stacks.ts';
import { seed, startWorld } from './world.ts';

const startRounds = 11;
const functionStartRounds = 5;
const callEffort = { rounds: 4, warmUp: 400, blocks: 20, calls: 20 };
const soakCalls = 25_000;

const usage = `Usage: npm run bench
Compares the service with alternative stacks. Writes docs/benchmarks.md.`;

/** Compares this service with alternative stacks. Writes docs/benchmarks.md, and the ratios that `bench:check` compares with. */
run(async () => {
  readArguments(usage);
  const loadBefore = getLoad();
  const world = await startWorld();
  const log = (what: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${what} …`);
  try {
    log('Bundling');
    const bundles = await bundleStacks(world.dir, { stacks, builds: buildNames });
    await seed(world, bundles);
    log('Starts');
    const cold = await measureCold(world, bundles, startRounds);
    log('Calls');
    const tunedBundles = bundles.filter(({ build }) => build === 'tuned');
    const warm = await measureWarm(world, tunedBundles, callEffort);
    log('Memory');
    const soaked: SoakResult[] = [];
    for (const bundle of tunedBundles.filter(({ stack }) => stack === 'ours' || stack === 'hand-written')) {
      const { stack, endpoint } = bundle;
      soaked.push({ stack, endpoint, calls: soakCalls, probed: await measureSoak(world, bundle, soakCalls) });
    }
    log('Every function');
    const functions = await measureFunctions(join(world.dir, 'services'), functionStartRounds);
    log('Ratios for bench:check');
    const ratios = await measureRatios(world);

    const measuredOn = describeConditions(loadBefore);
    const results = { measuredOn, cold, warm, soaked, functions };
    writeRecorded(measuredOn, ratios);
    writeFileSync('docs/benchmarks.md', buildPage(results));
    const goals = buildGoals(results);
    console.log(`${goals.filter(isMet).length} of ${goals.length} goals are met: see docs/benchmarks.md`);
  } finally {
    await world.stop();
  }
});
