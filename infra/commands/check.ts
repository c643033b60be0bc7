import { exec, execSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
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
const permissionsReport = join(folder, 'rights.json');

/** What Vitest's JSON report says of a run. */
interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[];
}

/** Runs the test files, all by default. Returns undefined if the run ended without a report. */
function runTests(name: string, files: string[] = []): (TestReport & { status: number | null }) | undefined {
  const path = join(folder, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`];
  const { status } = spawnSync('npm', ['test', '--', ...files, ...reporters], {
    stdio: 'inherit',
    env: { TEST_CASES: 'many', TEST_SEED: readTree(), ...process.env, RIGHTS_REPORT: permissionsReport },
  });
  return existsSync(path) ? { ...JSON.parse(readFileSync(path, 'utf8')), status } : undefined;
}

/** How many files with failures are run once more. If there are more, something is broken. */
const maxRepeatedFiles = 4;

/**
 * Runs all tests, and then the files of failed ones once more with nothing beside them, because a correct test can fail on a machine
 * that stops for seconds. Names the tests that only pass alone: they wait too briefly.
 */
function countTests(): void {
  const first = runTests('tests');
  const failedFiles = first?.testResults.filter((file) => file.status === 'failed') ?? [];
  const isRepeated = failedFiles.length > 0 && failedFiles.length <= maxRepeatedFiles;
  const names = failedFiles.map((file) => relative('', file.name));
  const last = isRepeated ? runTests('repeated', names) : first;
  // A file that fails to load has no failed tests, but still counts as a failure.
  const failures = last ? Math.max(last.numFailedTests, last.status === 0 ? 0 : 1) : 1;
  failed += failures;
  passed += first ? first.numPassedTests + Math.max(0, first.numFailedTests - failures) : 0;
  if (failures > 0) return;
  for (const { fullName, status } of failedFiles.flatMap((file) => file.assertionResults))
    if (status === 'failed') console.log(`! passed only alone: ${fullName}`);
}

countTests();

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

// Used permissions are unknown for a deployed stack.
if (!process.env.BASE_URL) {
  const { unused, refused } = readPermissions();
  report('permissions: a test needs each granted one', unused.length === 0, unused.join('\n'));
  report('permissions: none is missing', refused.length === 0, refused.join('\n'));
}
rmSync(folder, { recursive: true });

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
