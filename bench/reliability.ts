import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem, run } from '../infra/problem.ts';
import type { Written } from './result.ts';

/** Writes docs/reliability.md out of what the commands have written to bench/results; with `--check`, only says whether it is current. */

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/reliability.md');
const read = <T>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

/** A fault of the service that this work has found, and the commit that mended it, by its subject. */
interface Bug {
  fault: string;
  foundBy: string;
  mended: string;
}

/** A fault that was put into the service on purpose, and what failed then. */
interface Planted {
  fault: string;
  caughtBy: string;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const commitOf = (subject: string) =>
  git('log', '--format=%h', '--fixed-strings', `--grep=${subject}`).split('\n').at(-1) ?? '';

/** What is worth a word of a result's details, in the order in which they were written. */
const said = (detail: object = {}) =>
  Object.entries(detail)
    .map(
      ([name, value]) =>
        `${name} ${typeof value === 'object' ? JSON.stringify(value).replaceAll(/["{}]/g, '') : value}`,
    )
    .join(', ');

function written(): string {
  const results = globSync('bench/results/*.json', { cwd: root })
    .toSorted()
    .map((file) => read<Written>(file));
  const rows = results.map(
    ({ what, command, cases, failures, seed, detail, date, commit }) =>
      `| ${what} | \`${command}\` | ${cases.toLocaleString('en')} | ${failures} | ${seed ?? ''} | ${said(detail)} | ${date} | ${commit} |`,
  );
  const bugs = read<Bug[]>('bench/results/found/bugs.json').map(
    ({ fault, foundBy, mended }) =>
      `| ${fault} | ${foundBy} | ${mended}${commitOf(mended) && ` (${commitOf(mended)})`} |`,
  );
  const planted = read<Planted[]>('bench/results/found/planted.json').map(
    ({ fault, caughtBy }) => `| ${fault} | ${caughtBy} |`,
  );
  return `<!-- Written by npm run reliability -->

# Reliability

What was tried against the service on one machine, by commands that anyone can run again. Everything runs against the local host:
nothing in here has been tried on AWS. A run says its seed, and \`--seed\` repeats it.

| What | Command | Tried | Failed | Seed | In detail | Day | Commit |
|---|---|---:|---:|---:|---|---|---|
${rows.join('\n')}

- **Fuzzing** draws requests from docs/openapi.json: right ones, ones with a single thing wrong, and hostile ones. Each answer must have a
  documented status, its headers, and a body of that status's schema with no field more; what the document allows must not be refused.
  A failure shrinks to the smallest request, and is printed as a curl.
- **The model** is small and in memory: random sequences of commands run beside it, and what they read is compared with it.
- **Faults** are injected into each call to DynamoDB, S3 and KMS of each route, once and for ever: throttled, failed, reset, lost, hanging,
  slow, in conflict, and death of the function after it. Then the request is repeated as a client would, and all data is looked through.
- **Isolation** ([security](security.md)) and smaller runs of the above are part of \`npm test\`.

## What it found

| Fault | Found by | Mended by |
|---|---|---|
${bugs.join('\n')}

## Faults planted to see them caught

Each was put in by hand, seen to fail, and taken out again.

| Planted | Caught by |
|---|---|
${planted.join('\n')}
`;
}

run(async () => {
  const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  if (!check) writeFileSync(page, written());
  else if (readFileSync(page, 'utf8') !== written())
    throw new Problem('docs/reliability.md is not current: npm run reliability');
});
