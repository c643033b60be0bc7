import { measureCold, measureWarm } from './measure.ts';
import { computeRatios } from './ratios.ts';
import type { Spread } from './spread.ts';
import { bundleStacks } from './stacks.ts';
import { seed, type World } from './world.ts';

const effort = { rounds: 3, warmUp: 400, blocks: 20, calls: 20 };
const startRounds = 15;

/**
 * Measures the ratios between this service and the hand-written handler, in starts, memory and calls. Takes less than a minute.
 * `npm run bench` records these ratios, and `npm run bench:check` compares with them.
 */
export async function measureRatios(world: World): Promise<Record<string, Spread>> {
  const bundles = await bundleStacks(world.dir, { stacks: ['ours', 'hand-written'], builds: ['tuned'] });
  await seed(world, bundles);
  return computeRatios(await measureCold(world, bundles, startRounds), await measureWarm(world, bundles, effort));
}
