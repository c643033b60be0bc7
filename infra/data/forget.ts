import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { userKey } from '../../shared/store/keys.ts';
import { Problem, run } from '../problem.ts';
import { progress } from '../progress.ts';
import { erase, type Traces, tracesOf } from './eraser.ts';
import { at } from './place.ts';
import { counted } from './words.ts';

const usage = 'Say whose data: npm run forget -- --user <sub> [--env prod] [--yes]';

const elsewhere =
  'Elsewhere remain, for their time: logs, backups of the table for 35 days, exports, and the account at the issuer (docs/recovery.md)';

const told = ({ apiKeys, rows, versions }: Traces) =>
  `${counted(apiKeys.length + rows.length, 'row')} and ${counted(versions.length, 'version')} of files`;

/** Has the person at the terminal type the user. Throws Problem. */
async function confirm(user: string, what: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Problem(`This deletes ${what}, for good. Where nobody can be asked, say --yes`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`This deletes ${what}, for good. Type ${user} to go on: `);
  terminal.close();
  if (answer !== user) throw new Problem('That is not the user: nothing was deleted');
}

/** Deletes all data of one user, then looks whether anything is left. */
run(async () => {
  const { values } = parseArgs({
    options: { user: { type: 'string' }, env: { type: 'string' }, yes: { type: 'boolean', default: false } },
  });
  const { user, env, yes } = values;
  if (!user) throw new Problem(usage);
  await at(env, async (place) => {
    const owner = userKey(place.issuer, user);
    const isEmpty = ({ apiKeys, rows, versions }: Traces) => apiKeys.length + rows.length + versions.length === 0;
    const traces = await tracesOf(place, owner);
    if (isEmpty(traces)) {
      place.scrub(); // a command that died may not have come so far
      console.log(`${place.name} has nothing of ${user} (issuer ${place.issuer}). ${elsewhere}`);
      return;
    }
    if (!yes) await confirm(user, `${told(traces)} of ${user} at ${place.name}`);
    const say = progress();
    await erase(place, traces, say);
    say('');
    place.scrub();
    const left = await tracesOf(place, owner);
    if (!isEmpty(left))
      throw new Problem(
        `${told(left)} came meanwhile: somebody still acts as ${user}. Disable the account at the issuer, then run it again`,
      );
    console.log(`Deleted ${told(traces)} of ${user}. Looked again: 0 rows and 0 versions of files are left`);
    console.log(elsewhere);
  });
});
