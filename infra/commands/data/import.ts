import { toPrintableLine } from '../../../shared/domain/printable.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { createProgressLine } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { withDeployment } from './deployment/deployment.ts';
import { readManifest } from './export/export-folder.ts';
import type { ExistingPolicy } from './import/existing-policy.ts';
import { importUser } from './import/importer.ts';
import { findOwnerName } from './owner.ts';
import { pluralize } from './pluralize.ts';

const usage = `Usage: npm run import -- --from <folder> [--env prod] [--user <another sub> | --workspace <id>] [--existing keep|replace]
Imports an export, for its owner, another user or a workspace. Writes to the local host unless --env names a deployment.`;

const formatNames = (names: string[]): string => names.map(toPrintableLine).join(', ');

const isExisting = (text: string): text is ExistingPolicy => ['refuse', 'keep', 'replace'].includes(text);

run(async () => {
  const { values } = readArguments(usage, {
    options: {
      from: { type: 'string' },
      env: { type: 'string' },
      user: { type: 'string' },
      workspace: { type: 'string' },
      existing: { type: 'string', default: 'refuse' },
    },
  });
  const { from: dir, env, existing } = values;
  if (values.user && values.workspace) throw new UserError(`Pass either --user or --workspace. ${usage}`);
  if (!dir || !isExisting(existing)) throw new UserError(`Missing --from or unknown --existing. ${usage}`);
  const manifest = await readManifest(dir);
  if (!manifest) throw new UserError(`${dir} holds no export: it has no manifest.json`);
  const { user, workspace } = findOwnerName(values) ?? manifest;
  await withDeployment(env, async (deployment) => {
    const showProgress = createProgressLine();
    const {
      rows,
      files,
      skipped: left,
    } = await importUser(deployment, dir, manifest, { user, workspace, existing }, showProgress);
    showProgress('');
    for (const [thing, { written, same, kept }] of Object.entries({ row: rows, file: files }))
      print(`${pluralize(written, thing)} written, ${same} already there${kept ? `, ${kept} other kept` : ''}`);
    if (left.credentials.length > 0)
      print(`Skipped credentials, which cannot be decrypted here; save them again: ${formatNames(left.credentials)}`);
    if (left.webhooks.length > 0)
      print(
        `Skipped webhooks, whose secrets cannot be decrypted here; create them again: ${formatNames(left.webhooks)}`,
      );
    if (left.apiKeys.length > 0)
      print(`Skipped API keys, which act as another user; create new ones: ${formatNames(left.apiKeys)}`);
    if (left.jobs.length > 0) print(`Skipped jobs, which belong to the first owner: ${formatNames(left.jobs)}`);
  });
});
