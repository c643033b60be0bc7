import { join } from 'node:path';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { createProgressLine, type ShowProgress } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { type Deployment, withDeployment } from './deployment/deployment.ts';
import { listOwners } from './deployment/table.ts';
import { type Manifest, readManifest } from './export/export-folder.ts';
import { createManifest, exportUser } from './export/exporter.ts';
import { describeOwner, findOwnerKey, findOwnerName, type OwnerName } from './owner.ts';
import { pluralize } from './pluralize.ts';

const usage = `Usage: npm run export -- --user <sub> | --workspace <id> | --all [--env prod] [--to folder] [--table <a restored table>]
Copies all data of one user or workspace, or of each, into a folder. Reads the local host unless --env names a deployment.`;

/** Owner to export: their part of every key, and their name if it is known. */
interface Subject extends OwnerName {
  owner: string;
}

/**
 * Exports a user into a folder, and resumes an interrupted export. Returns the manifest, and whether the export was
 * already complete.
 */
async function exportUserInto(
  dir: string,
  deployment: Deployment,
  { owner, user, workspace }: Subject,
  showProgress: ShowProgress,
) {
  const found = await readManifest(dir);
  if (found && (found.owner !== owner || found.table !== deployment.table))
    throw new UserError(`${dir} holds an export of another user or table: use --to for another folder`);
  const wasComplete = Boolean(found?.completed_at);
  return {
    wasComplete,
    manifest: await exportUser(
      deployment,
      dir,
      found ?? createManifest(deployment, owner, user, workspace),
      showProgress,
    ),
  };
}

function printExport(deployment: Deployment, dir: string, user: string, { rows, files, missing }: Manifest): void {
  const isEmpty = rows?.count === 0 && files.length === 0;
  if (isEmpty) print(`${deployment.name} has nothing of ${user} (issuer ${deployment.issuer})`);
  else print(`${dir} holds ${pluralize(rows?.count ?? 0, 'row')} and ${pluralize(files.length, 'file')} of ${user}`);
  if (missing.length > 0)
    print(`It lacks ${pluralize(missing.length, 'file')} that rows name: see missing in its manifest.json`);
}

async function exportOne(deployment: Deployment, name: OwnerName, to: string | undefined): Promise<void> {
  const owner = findOwnerKey(deployment.issuer, name) ?? '';
  const dir = to ?? join('exports', owner);
  const showProgress = createProgressLine();
  const { wasComplete, manifest } = await exportUserInto(dir, deployment, { owner, ...name }, showProgress);
  if (wasComplete) {
    print(`${dir} already holds the complete export of ${manifest.completed_at}. Use --to for a new one`);
    return;
  }
  showProgress('');
  printExport(deployment, dir, describeOwner(name), manifest);
}

/** Exports every user who has rows, each into a separate folder. A second run resumes the first. */
async function exportAll(deployment: Deployment, to = 'exports'): Promise<void> {
  const showProgress = createProgressLine();
  const owners = await listOwners(deployment, showProgress);
  let unchanged = 0;
  for (const [i, owner] of owners.entries()) {
    const showUserProgress: ShowProgress = (text) => showProgress(`User ${i + 1} of ${owners.length}  ${text}`);
    const { wasComplete } = await exportUserInto(join(to, owner), deployment, { owner, user: null }, showUserProgress);
    if (wasComplete) unchanged += 1;
  }
  showProgress('');
  print(`${to} holds ${pluralize(owners.length, 'user')} of ${deployment.name}, each in a folder`);
  if (unchanged > 0) print(`Skipped ${pluralize(unchanged, 'folder')} with a complete export. Use --to for a new one`);
}

run(async () => {
  const { values } = readArguments(usage, {
    options: {
      user: { type: 'string' },
      workspace: { type: 'string' },
      all: { type: 'boolean', default: false },
      env: { type: 'string' },
      to: { type: 'string' },
      table: { type: 'string' },
    },
  });
  const { user, workspace, all, env, to, table } = values;
  const name = findOwnerName(values);
  if ([user, workspace, all].filter(Boolean).length !== 1)
    throw new UserError(`Pass one of --user, --workspace and --all. ${usage}`);
  await withDeployment(env, async (deployed) => {
    const deployment = { ...deployed, table: table ?? deployed.table };
    await (name ? exportOne(deployment, name, to) : exportAll(deployment, to));
  });
});
