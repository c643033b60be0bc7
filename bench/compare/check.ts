import { Problem, run } from '../../infra/problem.ts';
import { heldRatios } from './held.ts';
import { readRecorded } from './recorded.ts';
import type { Spread } from './spread.ts';
import { startWorld } from './world.ts';

const words = ({ median, low, high }: Spread) => `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/**
 * Compares how many times the hand-written handler we are with what `npm run bench` has recorded: ratios, since times are each
 * machine's own. Throws Problem where one is worse beyond the noise: all that it may be now is above all that it may have been.
 */
run(async () => {
  const recorded = readRecorded();
  const world = await startWorld();
  try {
    const worse: string[] = [];
    for (const [name, now] of Object.entries(await heldRatios(world))) {
      const then = recorded[name];
      console.log(`${name}: ${words(now)} × hand-written, recorded ${then ? words(then) : 'nothing'}`);
      if (!then || now.low > then.high) worse.push(name);
    }
    if (worse.length > 0)
      throw new Problem(`Worse than recorded: ${worse.join('; ')}. Find out why, or record anew by npm run bench`);
  } finally {
    await world.stop();
  }
});
