import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { userKey } from '../../shared/store/keys.ts';
import { Problem, run } from '../problem.ts';
import { progress } from '../progress.ts';
import { begun, exportUser } from './exporter.ts';
import { readManifest } from './folder.ts';
import { at } from './place.ts';
import { counted } from './words.ts';

const usage = 'Say whose data: npm run export -- --user <sub> [--env prod] [--to folder] [--table <a restored table>]';

/** Exports all data of one user into a folder. */
run(async () => {
  const { values } = parseArgs({
    options: { user: { type: 'string' }, env: { type: 'string' }, to: { type: 'string' }, table: { type: 'string' } },
  });
  const { user, env } = values;
  if (!user) throw new Problem(usage);
  await at(env, async (deployed) => {
    const place = { ...deployed, table: values.table ?? deployed.table };
    const owner = userKey(place.issuer, user);
    const dir = values.to ?? join('exports', owner);
    const found = await readManifest(dir);
    if (found && (found.owner !== owner || found.table !== place.table))
      throw new Problem(`${dir} holds an export of another user or table: name another folder by --to`);
    if (found?.completed_at) {
      console.log(`${dir} holds the whole export of ${found.completed_at}. Nothing was done; for a new one say --to`);
      return;
    }
    const say = progress();
    const { rows, files, missing } = await exportUser(place, dir, found ?? begun(place, user), say);
    say('');
    const isEmpty = rows?.count === 0 && files.length === 0;
    if (isEmpty) console.log(`${place.name} has nothing of ${user} (issuer ${place.issuer})`);
    else
      console.log(`${counted(rows?.count ?? 0, 'row')} and ${counted(files.length, 'file')} of ${user} are in ${dir}`);
    if (missing.length > 0)
      console.log(`${counted(missing.length, 'file')} that rows name are gone: manifest.json lists them as missing`);
  });
});
