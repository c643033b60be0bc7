import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { formatTable } from '../../infra/terminal/markdown.ts';
import { run, UserError } from '../../infra/terminal/user-error.ts';
import { defaultMemoryMb, fullCoreMb } from '../../shared/route.ts';
import { describeMachine } from '../corpus.ts';
import { type ProbeResult, probe } from './probe.ts';
import { toSpread } from './spread.ts';
import { bundleStacks, peers, stacks } from './stacks.ts';
import { seed, startWorld } from './world.ts';

/** Memory sizes of a function. With the last one, Lambda gives it a whole core. */
const memorySizesMb = [256, defaultMemoryMb, 1_024, fullCoreMb];
const rounds = 9;

/** CPU period of the control groups, in microseconds. AWS does not publish Lambda's period; people have measured 20 ms. */
const periodUs = 20_000;

/** Creates a control group with a share of one core, and returns its folder. Requires Linux and root. */
function createControlGroup(megabytes: number): string {
  const quota = Math.round((periodUs * megabytes) / fullCoreMb);
  const isOld = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_period_us');
  const folder = `/sys/fs/cgroup/${isOld ? 'cpu/' : ''}bench-${process.pid}-${megabytes}`;
  try {
    mkdirSync(folder);
    if (isOld) {
      writeFileSync(`${folder}/cpu.cfs_period_us`, String(periodUs));
      writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota));
    } else writeFileSync(`${folder}/cpu.max`, `${quota} ${periodUs}`);
  } catch (cause) {
    throw new UserError('Cannot limit the CPU share: run this on Linux, as root', { cause });
  }
  return folder;
}

const formatMedian = (probes: ProbeResult[], of: (probed: ProbeResult) => number) =>
  toSpread(probes.map(of)).median.toFixed(0);

const usage = `Usage: npm run bench:shares
Measures starts with the CPU share of each memory size. Requires Linux and root.`;

/**
 * Starts the tuned builds as Lambda does: with a whole core during the load, and from the first request on with the CPU share of their
 * memory size. Prints wall times in milliseconds. Nothing else should run, because the kernel enforces the shares.
 */
run(async () => {
  readArguments(usage);
  const world = await startWorld();
  const groups = memorySizesMb.map((size) => ({
    size,
    folder: createControlGroup(size),
    probes: new Map<string, ProbeResult[]>(),
  }));
  try {
    const bundles = await bundleStacks(world.dir, { stacks, builds: ['tuned'] });
    await seed(world, bundles);
    const readBundles = bundles.filter(({ endpoint }) => endpoint === 'read');
    const { environment, requests } = world;
    for (let round = 0; round < rounds; round++) {
      for (const { stack, entry } of readBundles) {
        for (const { folder: group, probes } of groups) {
          const probed = await probe({ entry, first: requests.read.event, environment, group });
          probes.set(stack, [...(probes.get(stack) ?? []), probed]);
        }
      }
    }
    console.log(
      `${describeMachine()}, medians of ${rounds} starts, assistants/get: ms to the first response, and the part of it after the load\n`,
    );
    const rows = stacks.map((stack) => [
      stack === 'ours' ? '**this service**' : peers[stack],
      ...groups.map(({ probes }) => {
        const own = probes.get(stack) ?? [];
        return `${formatMedian(own, ({ cold }) => cold.wall)}, ${formatMedian(own, ({ answer }) => answer.wall)}`;
      }),
    ]);
    console.log(formatTable(['Stack', ...memorySizesMb.map((size) => `${size.toLocaleString('en')} MB:`)], rows));
  } finally {
    await sleep(100); // a group can be removed after its last process has exited
    for (const { folder } of groups) rmdirSync(folder);
    await world.stop();
  }
});
