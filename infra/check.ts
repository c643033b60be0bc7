import { exec, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { environments } from './config.ts';
import { buildConsole } from './console/build.ts';
import { inParallel } from './data/in-parallel.ts';

/** Commands by the names of what they check. Each has its own output folder, since several run at once. */
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

function report(name: string, isGood: boolean, ...why: string[]): void {
  console.log(`${isGood ? '✓' : '✗'} ${name}`);
  if (isGood) passed += 1;
  else {
    failed += 1;
    console.log(...why);
  }
}

// Once, before the environments that deploy it are synthesized side by side.
await buildConsole().then(
  () => report('the console builds', true),
  ({ message }) => report('the console builds', false, message),
);
await inParallel(Object.entries(checks), availableParallelism(), ([name, command]) =>
  promisify(exec)(command, { maxBuffer: 2 ** 26 }).then(
    () => report(name, true),
    ({ stdout, stderr }) => report(name, false, stdout, stderr),
  ),
);

// The tests count one by one, and show which rights are in use. All of them run: `npm test` draws some of many like cases.
const scratch = mkdtempSync(join(tmpdir(), 'check-'));
const testReport = join(scratch, 'tests.json');
const rightsReport = join(scratch, 'rights.json');
const { status } = spawnSync(`npm test -- --reporter=default --reporter=json --outputFile.json=${testReport}`, {
  shell: true,
  stdio: 'inherit',
  env: { ...process.env, TEST_CASES: 'all', RIGHTS_REPORT: rightsReport },
});
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(testReport, 'utf8'));
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
  report('rights: each one granted is needed by a test', unused.length === 0, unused.join('\n'));
  report('rights: none was missing', refused.length === 0, refused.join('\n'));
}
rmSync(scratch, { recursive: true });

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
