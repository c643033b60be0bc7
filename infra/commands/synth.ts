import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from '../terminal/arguments.ts';
import { run } from '../terminal/user-error.ts';

const usage = `Usage: npm run synth -- [-c env=dev] [--output cdk.out]
Synthesizes the stacks of an environment, and checks them with cdk-nag. Passes further options to cdk synth.`;

/** Runs `cdk synth`, then prints the folder of the templates, which CDK itself does not. */
run(async () => {
  const { output } = readArguments(usage, {
    strict: false,
    options: { output: { type: 'string', short: 'o', default: 'cdk.out' } },
  }).values;
  const cdk = join(import.meta.dirname, '../..', 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const options = ['synth', '--quiet', '--no-notices', '--no-ci', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, [cdk, ...options], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
  if (status === 0) console.log(`Synthesized: the templates are in ${output}`);
});
