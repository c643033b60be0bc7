import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem, run } from '../problem.ts';
import { millionPage } from './million.ts';
import { page, sizes } from './page.ts';
import { assumptions, idleWords, workloadReport } from './report.ts';
import { deploymentOf } from './templates.ts';
import { usual, type Workload } from './workload.ts';

const root = join(import.meta.dirname, '../..');
const names = Object.keys(usual) as (keyof Workload)[];

/** A quantity that the user gave. Throws Problem where it is none. */
function quantity(name: string, text: unknown): number {
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || value < 0)
    throw new Problem(`--${name} takes a number, for example 100`);
  return value;
}

/** Measures all requests anew on the local host. */
function measure(): void {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/api/costs.test.ts'], {
    cwd: root,
    env: { ...process.env, MEASURE: '1' },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Problem('The requests could not be measured: see above');
}

/** Prints what a month costs; `--write` writes docs/costs.md and docs/scale.md, `--measure` measures the requests before. */
run(async () => {
  const { values }: { values: Record<string, unknown> } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
      env: { type: 'string', default: 'prod' },
      measure: { type: 'boolean' },
      write: { type: 'boolean' },
    },
  });
  if (values.measure) measure();
  if (values.write) {
    writeFileSync(join(root, 'docs/costs.md'), page());
    writeFileSync(join(root, 'docs/scale.md'), millionPage(sizes['As large as the internet'], deploymentOf('prod')));
    return;
  }
  const given = names.flatMap((name) => (name in values ? [[name, quantity(name, values[name])] as const] : []));
  const workload: Workload = { ...usual, ...Object.fromEntries(given) };
  const environment = String(values.env);
  const deployment = deploymentOf(environment);
  console.log(`${workloadReport(workload, deployment)}

While nobody calls, ${environment} costs ${idleWords(deployment)}.

${assumptions()}`);
});
