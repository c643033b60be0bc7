import { exec, execSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildConsole } from '../bundle/console.ts';
import { environments } from '../config.ts';
import type { PermissionReport } from '../local/iam/proxy.ts';
import { readArguments } from '../terminal/arguments.ts';
import { runInParallel } from './data/in-parallel.ts';

readArguments(`Usage: npm run check
Runs all checks and tests, with TEST_CASES=all every one of similar cases. The last line says how many passed and failed.`);

/** Commands by check name. Each has its own output folder, since several run in parallel. */
const checks: Record<string, string> = {
  ...Object.fromEntries(
    Object.keys(environments).map((name) => [
      `synth and cdk-nag, ${name}`,
      `npm run -s synth -- -c env=${name} --output cdk.out/${name}`,
    ]),
  ),
  types: 'npm run -s types',
  lint: 'npm run -s lint',
  'bundle sizes': 'npm run -s size',
  'OpenAPI document is current': 'npm run -s openapi -- --check',
  'OpenAPI document is valid': 'redocly lint docs/openapi.json',
};

let passed = 0;
let failed = 0;

function report(name: string, hasPassed: boolean, ...details: string[]): void {
  console.log(`${hasPassed ? '✓' : '✗'} ${name}`);
  if (hasPassed) passed += 1;
  else {
    failed += 1;
    console.log(...details);
  }
}

// Build the console once, before the environments that deploy it are synthesized in parallel.
await buildConsole().then(
  () => report('the console builds', true),
  ({ message }) => report('the console builds', false, message),
);
await runInParallel(Object.entries(checks), availableParallelism(), ([name, command]) =>
  promisify(exec)(command, { maxBuffer: 2 ** 26 }).then(
    () => report(name, true),
    ({ stdout, stderr }) => report(name, false, stdout, stderr),
  ),
);

// Each test counts as a check, and the run records which permissions it uses. It runs more of similar cases than `npm test`, and the
// same ones whenever it runs on the same content.
const folder = mkdtempSync(join(tmpdir(), 'check-'));
const testReport = join(folder, 'tests.json');
const permissionsReport = join(folder, 'rights.json');
const { status } = spawnSync(`npm test -- --reporter=default --reporter=json --outputFile.json=${testReport}`, {
  shell: true,
  stdio: 'inherit',
  env: { TEST_CASES: 'many', TEST_SEED: readTree(), ...process.env, RIGHTS_REPORT: permissionsReport },
});

/** Returns the digest of the content of the current commit, shortened. */
function readTree(): string {
  return execSync('git rev-parse --short=8 HEAD^{tree}', { encoding: 'utf8' }).trim();
}

/** Returns the permissions that no host of the tests has used, and the requests that any has refused. */
function readPermissions(): PermissionReport {
  if (!existsSync(permissionsReport)) return { unused: ['Unknown: the tests ended too early'], refused: [] };
  const lines = readFileSync(permissionsReport, 'utf8').trim().split('\n');
  const reports = lines.map((line): PermissionReport => JSON.parse(line));
  const [first, ...others] = reports.map(({ unused }) => unused);
  return {
    unused: first?.filter((right) => others.every((unused) => unused.includes(right))) ?? [],
    refused: [...new Set(reports.flatMap(({ refused }) => refused))],
  };
}

try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(testReport, 'utf8'));
  passed += numPassedTests;
  // A file that fails to load has no failed tests, but still counts as a failure.
  failed += Math.max(numFailedTests, numFailedTestSuites > 0 || status !== 0 ? 1 : 0);
} catch {
  failed += 1;
}
// Used permissions are unknown for a deployed stack.
if (!process.env.BASE_URL) {
  const { unused, refused } = readPermissions();
  report('permissions: a test needs each granted one', unused.length === 0, unused.join('\n'));
  report('permissions: none is missing', refused.length === 0, refused.join('\n'));
}
rmSync(folder, { recursive: true });

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
