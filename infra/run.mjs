// Runs a program of this project, after installing the packages if they are missing or older than the lock file:
//   node infra/run.mjs PROGRAM [ARGUMENT]…
// Starts on any Node from 20 on, before anything is installed, so it is plain JavaScript that needs no package.
// Writes to stderr only, because stdout belongs to the program.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm starts the scripts of the clients' packages in their folders.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const installed = 'node_modules/.installed';
const lockFileHash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

// npm runs this after each installation, so that one by hand is not repeated.
if (process.env.npm_lifecycle_event === 'prepare') {
  writeFileSync(installed, lockFileHash);
  process.exit();
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lockFileHash) {
  console.error('Installing the dependencies (once, one or two minutes) …');
  const npm = process.env.npm_execpath;
  if (!npm) fail('Run this with npm: npm start, or npm test');
  const { status } = spawnSync(process.execPath, [npm, 'ci', '--loglevel=error'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('The installation failed: see above, then run the same command again');
  writeFileSync(installed, lockFileHash);
}

// npm puts node_modules/.bin first in the path, so this is the Node of the package "node".
const version = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
if (Number(version.slice(1).split('.')[0]) < 24) {
  fail(
    `Node 24 is needed, and this is ${version}: install without --ignore-scripts (rm -rf node_modules; npm start), or use Node 24`,
  );
}

const [, , ...command] = process.argv;
if (command.length > 0) {
  // Programs, and the Node processes that they start, share compiled code, which halves the time to start one.
  const env = { NODE_COMPILE_CACHE: resolve('node_modules/.compile-cache'), ...process.env };
  const program = spawn('node', command, { stdio: 'inherit', env });
  process.on('SIGINT', () => {}); // a terminal sends it to the program as well, which ends in its own time
  process.on('SIGTERM', () => program.kill('SIGTERM'));
  program.on('exit', (code) => process.exit(code ?? 1));
}
