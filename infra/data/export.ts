import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { userKey } from '../../shared/store/keys.ts';
import { Problem, run } from '../problem.ts';
import { progress, type Say } from '../progress.ts';
import { begun, exportUser } from './exporter.ts';
import { type Manifest, readManifest } from './folder.ts';
import { at, type Place } from './place.ts';
import { listOwners } from './table.ts';
import { counted } from './words.ts';

const usage =
  'Say whose data: npm run export -- --user <sub> | --all [--env prod] [--to folder] [--table <a restored table>]';

/** Somebody whose data is exported: their part of every key, and their `sub` where it is known. */
interface Subject {
  owner: string;
  user: string | null;
}

/** Exports a user into a folder, from where an earlier run has stopped. Returns the manifest, and whether it was complete before. */
async function exportInto(dir: string, place: Place, { owner, user }: Subject, say: Say) {
  const found = await readManifest(dir);
  if (found && (found.owner !== owner || found.table !== place.table))
    throw new Problem(`${dir} holds an export of another user or table: name another folder by --to`);
  const isOld = Boolean(found?.completed_at);
  return { isOld, manifest: await exportUser(place, dir, found ?? begun(place, owner, user), say) };
}

function printOne(place: Place, dir: string, user: string, { rows, files, missing }: Manifest): void {
  const isEmpty = rows?.count === 0 && files.length === 0;
  if (isEmpty) console.log(`${place.name} has nothing of ${user} (issuer ${place.issuer})`);
  else console.log(`${counted(rows?.count ?? 0, 'row')} and ${counted(files.length, 'file')} of ${user} are in ${dir}`);
  if (missing.length > 0)
    console.log(`${counted(missing.length, 'file')} that rows name are gone: manifest.json lists them as missing`);
}

async function exportOne(place: Place, user: string, to: string | undefined): Promise<void> {
  const owner = userKey(place.issuer, user);
  const dir = to ?? join('exports', owner);
  const say = progress();
  const { isOld, manifest } = await exportInto(dir, place, { owner, user }, say);
  if (isOld) {
    console.log(`${dir} holds the whole export of ${manifest.completed_at}. Nothing was done; for a new one say --to`);
    return;
  }
  say('');
  printOne(place, dir, user, manifest);
}

/** Exports everybody who has anything in the table, each into a folder of their own. A second run goes on with whom the first left. */
async function exportAll(place: Place, to = 'exports'): Promise<void> {
  const say = progress();
  const owners = await listOwners(place, say);
  let old = 0;
  for (const [i, owner] of owners.entries()) {
    const tell: Say = (text) => say(`User ${i + 1} of ${owners.length}  ${text}`);
    const { isOld } = await exportInto(join(to, owner), place, { owner, user: null }, tell);
    if (isOld) old += 1;
  }
  say('');
  console.log(`${counted(owners.length, 'user')} of ${place.name} are in ${to}, a folder each`);
  if (old > 0)
    console.log(`${counted(old, 'folder')} held a whole export and stayed as they were; for new ones say --to`);
}

/** Exports all data of one user into a folder, or that of all users. */
run(async () => {
  const { values } = parseArgs({
    options: {
      user: { type: 'string' },
      all: { type: 'boolean', default: false },
      env: { type: 'string' },
      to: { type: 'string' },
      table: { type: 'string' },
    },
  });
  const { user, all, env, to, table } = values;
  if (all === Boolean(user)) throw new Problem(usage);
  await at(env, async (deployed) => {
    const place = { ...deployed, table: table ?? deployed.table };
    await (user ? exportOne(place, user, to) : exportAll(place, to));
  });
});
