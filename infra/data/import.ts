import { parseArgs } from 'node:util';
import { Problem, run } from '../problem.ts';
import { progress } from '../progress.ts';
import type { Existing } from './existing.ts';
import { readManifest } from './folder.ts';
import { importUser } from './importer.ts';
import { at } from './place.ts';
import { counted } from './words.ts';

const usage =
  'Say from where: npm run import -- --from <folder> [--env prod] [--user <another sub>] [--existing keep|replace]';

const isExisting = (text: string): text is Existing => ['refuse', 'keep', 'replace'].includes(text);

/** Writes an export back, to its user or to another. */
run(async () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      env: { type: 'string' },
      user: { type: 'string' },
      existing: { type: 'string', default: 'refuse' },
    },
  });
  const { from: dir, env, existing } = values;
  if (!dir || !isExisting(existing)) throw new Problem(usage);
  const manifest = await readManifest(dir);
  if (!manifest) throw new Problem(`${dir} holds no export: there is no manifest.json`);
  const user = values.user ?? manifest.user;
  await at(env, async (place) => {
    const say = progress();
    const { rows, files, left } = await importUser(place, dir, manifest, { user, existing }, say);
    say('');
    for (const [thing, { written, same, kept }] of Object.entries({ row: rows, file: files }))
      console.log(`${counted(written, thing)} written, ${same} already there${kept ? `, ${kept} other kept` : ''}`);
    if (left.credentials.length > 0)
      console.log(`Left out, since their keys cannot be read here; save them again: ${left.credentials.join(', ')}`);
    if (left.apiKeys.length > 0)
      console.log(`Left out, since they act as another user; make new ones: ${left.apiKeys.join(', ')}`);
  });
});
