import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { buildCostsPage, exampleWorkloads } from './costs-page.ts';
import { buildWorkloadReport, formatAssumptions, formatIdleCost } from './report.ts';
import { buildScalePage } from './scale-page.ts';
import { synthesizeStack } from './templates.ts';
import { defaultWorkload, type Workload } from './workload.ts';

const root = join(import.meta.dirname, '../../..');
const options = Object.keys(defaultWorkload) as (keyof Workload)[];

/** Parses the value of an option. Throws UserError unless it is a number of at least 0. */
function parseQuantity(name: string, text: unknown): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0)
    throw new UserError(`--${name} takes a number, for example 100`);
  return value;
}

/** Measures all requests again on the local host. */
function measureRequests(): void {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/api/costs.test.ts'], {
    cwd: root,
    env: { ...process.env, MEASURE: '1' },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new UserError('The requests could not be measured: fix the errors above');
}

const usage = `Usage: npm run cost -- [--env prod] ${options.map((name) => `[--${name} ${defaultWorkload[name]}]`).join(' ')}
       npm run cost -- --write [--measure]
Prints the monthly bill. --write writes docs/costs.md and docs/scale.md instead, --measure first repeats the measurements.`;

run(async () => {
  const { values }: { values: Record<string, unknown> } = readArguments(usage, {
    options: {
      ...Object.fromEntries(options.map((name) => [name, { type: 'string' as const }])),
      env: { type: 'string', default: 'prod' },
      measure: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  if (values.measure) measureRequests();
  if (values.write) {
    writeFileSync(join(root, 'docs/costs.md'), buildCostsPage());
    writeFileSync(
      join(root, 'docs/scale.md'),
      buildScalePage(exampleWorkloads['As large as the internet'], synthesizeStack('prod')),
    );
    return;
  }
  const given = options.flatMap((name) => (name in values ? [[name, parseQuantity(name, values[name])] as const] : []));
  const workload: Workload = { ...defaultWorkload, ...Object.fromEntries(given) };
  const environment = String(values.env);
  const stack = synthesizeStack(environment);
  console.log(`${buildWorkloadReport(workload, stack)}

While nobody calls, ${environment} costs ${formatIdleCost(stack)}.

${formatAssumptions()}`);
});
