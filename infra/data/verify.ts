import { parseArgs } from 'node:util';
import { Problem, run } from '../problem.ts';
import { progress } from '../progress.ts';
import { at } from './place.ts';
import type { Finding } from './rules.ts';
import { verify } from './verifier.ts';
import { counted } from './words.ts';

const usage = 'Say npm run verify -- [--env prod] [--minutes 20] [--secrets]';

/** How many places of a finding are named. */
const shown = 5;

function print(findings: Finding[]): void {
  for (const [rule, found] of Map.groupBy(findings, ({ rule }) => rule)) {
    console.log(`${counted(found.length, 'time')}: ${rule}`);
    for (const { where } of found.slice(0, shown)) console.log(`  ${where}`);
    if (found.length > shown) console.log(`  and ${found.length - shown} more`);
  }
}

/** Looks whether all data of a deployment hangs together. */
run(async () => {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      // A document may take 30 minutes until it has been read or has failed, but its record is written in seconds.
      minutes: { type: 'string', default: '20' },
      secrets: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 0)) throw new Problem(`--minutes takes a number. ${usage}`);
  await at(values.env, async (place) => {
    const say = progress();
    const { secrets } = values;
    const { rows, files, users, faults, leftovers } = await verify(place, { graceMs: minutes * 60_000, secrets }, say);
    say('');
    print(faults);
    console.log(
      `${place.name}: ${counted(rows, 'row')} and ${counted(files, 'file')} of ${counted(users, 'user')}, ${counted(faults.length, 'fault')}`,
    );
    if (leftovers.length > 0) {
      console.log('\nLeft over by design, and of no harm:');
      print(leftovers);
    }
    if (faults.length > 0) process.exitCode = 1;
  });
});
