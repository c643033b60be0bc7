import { toPrintableLine } from '../../../shared/domain/printable.ts';
import { readArguments } from '../../terminal/arguments.ts';
import { print } from '../../terminal/print.ts';
import { createProgressLine } from '../../terminal/progress.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { withDeployment } from './deployment/deployment.ts';
import { pluralize } from './pluralize.ts';
import type { Finding } from './verify/integrity-rules.ts';
import { verify } from './verify/verifier.ts';

const usage = `Usage: npm run verify -- [--env prod] [--minutes 20] [--secrets]
Checks the integrity of all data, of the local host unless --env names a deployment. Skips data younger than --minutes.
--secrets also decrypts each credential.`;

/** Maximum number of places to print for a finding. */
const maxPlaces = 5;

function printFindings(findings: Finding[]): void {
  for (const [rule, found] of Map.groupBy(findings, ({ rule }) => rule)) {
    print(`${pluralize(found.length, 'time')}: ${rule}`);
    for (const { where } of found.slice(0, maxPlaces)) print(`  ${toPrintableLine(where)}`);
    if (found.length > maxPlaces) print(`  and ${found.length - maxPlaces} more`);
  }
}

run(async () => {
  const { values } = readArguments(usage, {
    options: {
      env: { type: 'string' },
      // Ingestion may take 30 minutes until a document is parsed or has failed, but writes its record within seconds.
      minutes: { type: 'string', default: '20' },
      secrets: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 0)) throw new UserError(`--minutes takes a number. ${usage}`);
  await withDeployment(values.env, async (deployment) => {
    const showProgress = createProgressLine();
    const { secrets } = values;
    const { rows, files, users, faults, leftovers } = await verify(
      deployment,
      { graceMs: minutes * 60_000, secrets },
      showProgress,
    );
    showProgress('');
    printFindings(faults);
    print(
      `${deployment.name}: ${pluralize(rows, 'row')} and ${pluralize(files, 'file')} of ${pluralize(users, 'user')}, ${pluralize(faults.length, 'fault')}`,
    );
    if (leftovers.length > 0) {
      print('\nLeftovers by design, which do no harm:');
      printFindings(leftovers);
    }
    if (faults.length > 0) process.exitCode = 1;
  });
});
