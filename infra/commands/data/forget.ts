import { createInterface } from 'node:readline/promises';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { createProgressLine } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { withDeployment } from './deployment/deployment.ts';
import { eraseUserData, listUserData, type UserData } from './eraser.ts';
import { describeOwner, findOwnerKey, findOwnerName } from './owner.ts';
import { pluralize } from './pluralize.ts';

const usage = `Usage: npm run forget -- --user <sub> | --workspace <id> [--env prod] [--yes]
Deletes all data of a user or workspace, on the local host unless --env names a deployment. --yes skips the confirmation.`;

const formatCounts = ({ apiKeys, rows, versions }: UserData) =>
  `${pluralize(apiKeys.length + rows.length, 'row')} and ${pluralize(versions.length, 'version')} of files`;

/** Asks the operator to type the user's `sub`. Throws UserError if they do not. */
async function confirm(user: string, what: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UserError(`This permanently deletes ${what}. Without a terminal, confirm with --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`This permanently deletes ${what}. Type ${user} to continue: `);
  terminal.close();
  if (answer !== user) throw new UserError('The user does not match: nothing was deleted');
}

run(async () => {
  const { values } = readArguments(usage, {
    options: {
      user: { type: 'string' },
      workspace: { type: 'string' },
      env: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
  const { env, yes } = values;
  const name = findOwnerName(values);
  if (!name || (values.user && values.workspace)) throw new UserError(`Pass either --user or --workspace. ${usage}`);
  const user = describeOwner(name);
  await withDeployment(env, async (deployment) => {
    const elsewhere = `Some data remains elsewhere: ${deployment.elsewhere} (docs/recovery.md)`;
    const owner = findOwnerKey(deployment.issuer, name) ?? '';
    const isEmpty = ({ apiKeys, rows, versions }: UserData) => apiKeys.length + rows.length + versions.length === 0;
    const data = await listUserData(deployment, owner);
    if (isEmpty(data)) {
      deployment.scrub(); // an interrupted run may not have reached this
      print(`${deployment.name} has nothing of ${user} (issuer ${deployment.issuer}). ${elsewhere}`);
      return;
    }
    if (!yes) await confirm(user, `${formatCounts(data)} of ${user} at ${deployment.name}`);
    const showProgress = createProgressLine();
    await eraseUserData(deployment, data, showProgress);
    showProgress('');
    deployment.scrub();
    const left = await listUserData(deployment, owner);
    if (!isEmpty(left))
      throw new UserError(
        `${formatCounts(left)} appeared during the deletion: somebody still acts as ${user}. Disable the account at the issuer, then run it again`,
      );
    print(`Deleted ${formatCounts(data)} of ${user}. A second look found 0 rows and 0 versions of files`);
    print(elsewhere);
  });
});
