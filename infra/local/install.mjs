// Runs before every command, on whatever Node the machine has (20 or later), before anything is installed:
// plain JavaScript, Node's own modules only. Installs what the lock file says, unless that is what is there.
// Everything is written to stderr: stdout belongs to the command.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const stamp = 'node_modules/.installed';
const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing the dependencies (once, about half a minute) …');
  const npm = process.env.npm_execpath;
  if (!npm) fail('Run this by npm: npm start, or npm test');
  const { status } = spawnSync(process.execPath, [npm, 'ci', '--loglevel=error'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail('The installation failed: see above, then run the same command again');
  writeFileSync(stamp, wanted);
}

// npm puts node_modules/.bin first in the path, so the command runs on the Node that the package "node" brings.
const version = execFileSync('node', ['--version'], { encoding: 'utf8' }).trim();
if (Number(version.slice(1).split('.')[0]) < 24) {
  fail(
    `Node 24 is needed, and this is ${version}: install without --ignore-scripts (rm -rf node_modules; npm start), or use Node 24`,
  );
}
