import { readArguments } from '../../infra/terminal/arguments.ts';
import { run, UserError } from '../../infra/terminal/user-error.ts';
import { measureRatios } from './measure-ratios.ts';
import { readRecorded } from './recorded.ts';
import type { Spread } from './spread.ts';
import { startWorld, type World } from './world.ts';

/** Factor by which the ratios of the same code differ between processor types. */
const machineTolerance = 1.1;

const formatSpread = ({ median, low, high }: Spread) =>
  `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

/** Returns the names of ratios that are worse than recorded beyond the noise: their ranges do not overlap. */
async function listRegressions(recorded: Record<string, Spread>, world: World): Promise<string[]> {
  const worse: string[] = [];
  for (const [name, now] of Object.entries(await measureRatios(world))) {
    const then = recorded[name];
    console.log(`${name}: ${formatSpread(now)} × hand-written, recorded ${then ? formatSpread(then) : 'nothing'}`);
    if (!then || now.low > then.high * machineTolerance) worse.push(name);
  }
  return worse;
}

const usage = `Usage: npm run bench:check
Checks that the service has not become slower since npm run bench.`;

/**
 * Compares the current ratios to the hand-written handler with those that `npm run bench` recorded. Times differ between machines,
 * ratios hardly do. Throws UserError if a ratio is worse twice in a row, because other load may disturb the first run.
 */
run(async () => {
  readArguments(usage);
  const recorded = readRecorded();
  const world = await startWorld();
  try {
    const once = await listRegressions(recorded, world);
    if (once.length === 0) return;
    console.log('Measuring again …');
    const twice = (await listRegressions(recorded, world)).filter((name) => once.includes(name));
    if (twice.length > 0)
      throw new UserError(
        `Worse than recorded: ${twice.join('; ')}. Find the cause, or record new ratios with npm run bench`,
      );
  } finally {
    await world.stop();
  }
});
