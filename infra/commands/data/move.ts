import { toPrintableLine } from '../../../shared/domain/printable.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { createProgressLine } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { withDeployment } from './deployment/deployment.ts';
import { moveRows } from './mover.ts';
import { pluralize } from './pluralize.ts';

const usage = `Usage: npm run move -- [--env prod]
Moves rows of an earlier release to their current keys, on the local host unless --env names a deployment.`;

/** Moves rows that an earlier release kept in one partition per user to the partitions of their kinds. */
run(async () => {
  const { values } = readArguments(usage, { options: { env: { type: 'string' } } });
  await withDeployment(values.env, async (deployment) => {
    const showProgress = createProgressLine();
    const { moved, left } = await moveRows(deployment, showProgress);
    showProgress('');
    print(`${deployment.name}: moved ${pluralize(moved, 'row')}`);
    if (left.length > 0)
      throw new UserError(
        `${pluralize(left.length, 'row')} not moved:\n  ${left.slice(0, 5).map(toPrintableLine).join('\n  ')}\n` +
          'Another row has the new key, or they changed during the move: run it again, and delete the row that is not needed',
      );
  });
});
