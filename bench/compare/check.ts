import { Problem, run } from '../../infra/problem.ts';
import { heldRatios } from './held.ts';
import { readRecorded } from './recorded.ts';
import type { Spread } from './spread.ts';
import { startWorld, type World } from './world.ts';

/** By how much the ratios of the same code differ between kinds of processors. */
const otherMachines = 1.1;

const words = ({ median, low, high }: Spread) => `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/** What is worse than recorded beyond the noise: all that it may be now is above all that it may have been. */
async function worseThan(recorded: Record<string, Spread>, world: World): Promise<string[]> {
  const worse: string[] = [];
  for (const [name, now] of Object.entries(await heldRatios(world))) {
    const then = recorded[name];
    console.log(`${name}: ${words(now)} × hand-written, recorded ${then ? words(then) : 'nothing'}`);
    if (!then || now.low > then.high * otherMachines) worse.push(name);
  }
  return worse;
}

/**
 * Compares how many times the hand-written handler we are with what `npm run bench` has recorded: ratios, since times are each
 * machine's own. Throws Problem where one is worse, twice in a row: a neighbour may have had the machine the first time.
 */
run(async () => {
  const recorded = readRecorded();
  const world = await startWorld();
  try {
    const once = await worseThan(recorded, world);
    if (once.length === 0) return;
    console.log('Once more …');
    const twice = (await worseThan(recorded, world)).filter((name) => once.includes(name));
    if (twice.length > 0)
      throw new Problem(`Worse than recorded: ${twice.join('; ')}. Find out why, or record anew by npm run bench`);
  } finally {
    await world.stop();
  }
});
