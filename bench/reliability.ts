import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../infra/terminal/arguments.ts';
import { run, UserError } from '../infra/terminal/user-error.ts';
import type { RecordedResult } from './result.ts';

// Writes docs/reliability.md from the results in bench/results. With `--check`, only checks that the page is current.

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/reliability.md');
const read = <T>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

/** Bug that these commands found, and the subject of the commit that fixed it. */
interface Bug {
  fault: string;
  foundBy: string;
  mended: string;
}

/** Bug that was planted on purpose, and the check that caught it. */
interface Planted {
  fault: string;
  caughtBy: string;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const findCommit = (subject: string) =>
  git('log', '--format=%h', '--fixed-strings', `--grep=${subject}`).split('\n').at(-1) ?? '';

/** Formats the details of a result. */
const formatDetail = (detail: object = {}) =>
  Object.entries(detail)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'object' ? JSON.stringify(value).replaceAll(/["{}]/g, '') : value}`,
    )
    .join(', ');

function buildPage(): string {
  const results = globSync('bench/results/*.json', { cwd: root })
    .toSorted()
    .map((file) => read<RecordedResult>(file));
  const rows = results.map(
    ({ what, command, cases, failures, seed, detail, date, commit }) =>
      `| ${what} | \`${command}\` | ${cases.toLocaleString('en')} | ${failures} | ${seed ?? ''} | ${formatDetail(detail)} | ${date} | ${commit} |`,
  );
  const bugs = read<Bug[]>('bench/results/found/bugs.json').map(
    ({ fault, foundBy, mended }) => `| ${fault} | ${foundBy} | ${findCommit(mended) || mended} |`,
  );
  const planted = read<Planted[]>('bench/results/found/planted.json').map(
    ({ fault, caughtBy }) => `| ${fault} | ${caughtBy} |`,
  );
  return `<!-- Written by npm run reliability -->

# Reliability

Results of the reliability commands, which you can run yourself. They ran against the local host on one machine, never against AWS.
Each run prints its seed; \`--seed\` repeats it.

| Test | Command | Cases | Failures | Seed | Details | Date | Commit |
|---|---|---:|---:|---:|---|---|---|
${rows.join('\n')}

- **Fuzzing** generates requests from docs/openapi.json: valid ones, ones with a single error, and hostile ones. Each response must have a
  documented status, its headers, and a body that matches the schema of that status exactly. Requests that the document allows must not
  be rejected. A failure is shrunk to the smallest request and printed as a curl command.
- **The model** is a small in-memory version of the service. Random sequences of commands run against both, and all responses are compared.
- **Faults** are injected into each call to DynamoDB, S3 and KMS of each route, once and permanently: throttling, errors, resets, lost
  responses, hangs, delays, conflicts, and a crash of the function afterwards. Then the request is retried as a client would, and all data
  is checked.
- **Isolation** ([security](security.md)) and smaller runs of the above are part of \`npm test\`.

## Bugs found

| Bug | Found by | Fixed by |
|---|---|---|
${bugs.join('\n')}

## Planted bugs

Each bug was added by hand to prove that a check catches it, then removed.

| Bug | Caught by |
|---|---|
${planted.join('\n')}
`;
}

const usage = `Usage: npm run reliability -- [--check]
Writes docs/reliability.md. --check: only checks that it is current.`;

run(async () => {
  const { check } = readArguments(usage, { options: { check: { type: 'boolean', default: false } } }).values;
  if (!check) writeFileSync(page, buildPage());
  else if (readFileSync(page, 'utf8') !== buildPage())
    throw new UserError('docs/reliability.md is out of date: run npm run reliability');
});
