import { parseArgs } from 'node:util';
import { Problem, run } from '../problem.ts';
import { progress } from '../progress.ts';
import { moveRows } from './mover.ts';
import { at } from './place.ts';
import { counted } from './words.ts';

/** Moves the rows that an earlier release kept in one partition of each user to the partitions of their kinds. */
run(async () => {
  const { values } = parseArgs({ options: { env: { type: 'string' } } });
  await at(values.env, async (place) => {
    const say = progress();
    const { moved, left } = await moveRows(place, say);
    say('');
    console.log(`${place.name}: moved ${counted(moved, 'row')}`);
    if (left.length > 0)
      throw new Problem(
        `${counted(left.length, 'row')} stayed:\n  ${left.slice(0, 5).join('\n  ')}\n` +
          'Another row has the new key, or somebody changed them meanwhile: run it again, and delete the one that is not needed',
      );
  });
});
