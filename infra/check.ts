import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environments } from './config.ts';

/**
 * Every check of the project, in the order of their speed. The tests come last and count one by one; they show which rights
 * are in use.
 */
const checks: Record<string, string> = {
  types: 'npm run -s types',
  lint: 'npm run -s lint',
  'OpenAPI document is current': 'npm run -s openapi -- --check',
  'OpenAPI document is valid': 'redocly lint docs/openapi.json',
  'bundle sizes': 'npm run -s size',
  'benchmarks: no slower than recorded': 'npm run -s bench:check',
  ...Object.fromEntries(
    Object.keys(environments).map((name) => [`synth and cdk-nag, ${name}`, `npm run -s synth -- -c env=${name}`]),
  ),
};

const scratch = mkdtempSync(join(tmpdir(), 'check-'));
const report = join(scratch, 'tests.json');
const rightsReport = join(scratch, 'rights.json');
let passed = 0;
let failed = 0;

const run = (command: string, visible: boolean) =>
  spawnSync(command, {
    shell: true,
    stdio: visible ? 'inherit' : 'pipe',
    encoding: 'utf8',
    env: { ...process.env, RIGHTS_REPORT: rightsReport },
  });

function tell(name: string, isGood: boolean, ...why: string[]): void {
  console.log(`${isGood ? '✓' : '✗'} ${name}`);
  if (isGood) passed += 1;
  else {
    failed += 1;
    console.log(...why);
  }
}

for (const [name, command] of Object.entries(checks)) {
  const { status, stdout, stderr } = run(command, false);
  tell(name, status === 0, stdout, stderr);
}

const { status } = run(`npm test -- --reporter=default --reporter=json --outputFile.json=${report}`, true);
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  passed += numPassedTests;
  // A file that does not even load has no failed tests, and fails all the same.
  failed += Math.max(numFailedTests, numFailedTestSuites > 0 || status !== 0 ? 1 : 0);
} catch {
  failed += 1;
}
// A deployed stack does not tell which rights were used.
if (!process.env.BASE_URL) {
  let { unused, refused } = { unused: ['Not known: the tests ended too early'], refused: [] };
  if (existsSync(rightsReport)) ({ unused, refused } = JSON.parse(readFileSync(rightsReport, 'utf8')));
  tell('rights: each one granted is needed by a test', unused.length === 0, unused.join('\n'));
  tell('rights: none was missing', refused.length === 0, refused.join('\n'));
}
rmSync(scratch, { recursive: true });

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
