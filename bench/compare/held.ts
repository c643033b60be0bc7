import { measureCold, measureWarm } from './measure.ts';
import { ratiosOf } from './ratios.ts';
import type { Spread } from './spread.ts';
import { bundleStacks } from './stacks.ts';
import { seed, type World } from './world.ts';

const effort = { rounds: 3, warmUp: 400, blocks: 20, calls: 20 };
const starts = 15;

/**
 * How many times the hand-written handler we are, in starts, memory and calls. In less than a minute, and the same whoever
 * asks: what `npm run bench` records is what `npm run bench:check` compares with.
 */
export async function heldRatios(world: World): Promise<Record<string, Spread>> {
  const bundles = await bundleStacks(world.dir, { stacks: ['ours', 'hand-written'], builds: ['tuned'] });
  await seed(world, bundles);
  return ratiosOf(await measureCold(world, bundles, starts), await measureWarm(world, bundles, effort));
}
