import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../infra/markdown.ts';
import { Problem, run } from '../../infra/problem.ts';
import { machine } from '../corpus.ts';
import { type Probed, probe } from './probe.ts';
import { spreadOf } from './spread.ts';
import { bundleStacks, peers, stacks } from './stacks.ts';
import { seed, startWorld } from './world.ts';

/** Megabytes of a function; at the last one Lambda gives it a whole core. */
const sizes = [256, 512, 1_024, 1_769];
const wholeCore = 1_769;
const rounds = 9;

/** Microseconds in which a group may use its share. Of Lambda's own nothing is published; people have measured 20 ms. */
const period = 20_000;

/** Makes a control group with a share of one core; Linux only, and only as root. Gives its folder. */
function makeGroup(megabytes: number): string {
  const quota = Math.round((period * megabytes) / wholeCore);
  const isOld = existsSync('/sys/fs/cgroup/cpu/cpu.cfs_period_us');
  const folder = `/sys/fs/cgroup/${isOld ? 'cpu/' : ''}bench-${process.pid}-${megabytes}`;
  try {
    mkdirSync(folder);
    if (isOld) {
      writeFileSync(`${folder}/cpu.cfs_period_us`, String(period));
      writeFileSync(`${folder}/cpu.cfs_quota_us`, String(quota));
    } else writeFileSync(`${folder}/cpu.max`, `${quota} ${period}`);
  } catch (cause) {
    throw new Problem('No share of the processor can be set: run it on Linux, as root', { cause });
  }
  return folder;
}

const milliseconds = (probes: Probed[], of: (probed: Probed) => number) => spreadOf(probes.map(of)).median.toFixed(0);

/**
 * Starts the stacks, in their tuned build, as Lambda does: with a whole core until they have loaded, and from the first request on
 * with the share that their memory has. Prints milliseconds at the clock. The kernel does the sharing, so nothing else should run.
 */
run(async () => {
  const world = await startWorld();
  const groups = sizes.map((size) => ({ size, folder: makeGroup(size), probes: new Map<string, Probed[]>() }));
  try {
    const bundles = await bundleStacks(world.dir, { stacks, builds: ['tuned'] });
    await seed(world, bundles);
    const readers = bundles.filter(({ endpoint }) => endpoint === 'read');
    const { environment, requests } = world;
    for (let round = 0; round < rounds; round++) {
      for (const { stack, entry } of readers) {
        for (const { folder: group, probes } of groups) {
          const probed = await probe({ entry, first: requests.read.event, environment, group });
          probes.set(stack, [...(probes.get(stack) ?? []), probed]);
        }
      }
    }
    console.log(
      `${machine()}, medians of ${rounds} starts, assistants/get: to the first answer, and of it after the load, ms\n`,
    );
    const rows = stacks.map((stack) => [
      stack === 'ours' ? '**this service**' : peers[stack],
      ...groups.map(({ probes }) => {
        const own = probes.get(stack) ?? [];
        return `${milliseconds(own, ({ cold }) => cold.wall)}, ${milliseconds(own, ({ answer }) => answer.wall)}`;
      }),
    ]);
    console.log(table(['Stack', ...sizes.map((size) => `${size.toLocaleString('en')} MB:`)], rows));
  } finally {
    await sleep(100); // a group is gone when its last process is
    for (const { folder } of groups) rmdirSync(folder);
    await world.stop();
  }
});
