import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../infra/local/emulators/port.ts';
import { deployed } from '../support/api.ts';

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-start-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  /** What it has printed so far. */
  output: () => string;
}

function start(port: number, dataDir = dir): Started {
  // A process group of its own, so that Ctrl-C can be sent to all of it, as a terminal does.
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

const ready = ({ output }: Started) => expect.poll(output).toMatch(/curl -s \S+ -H "Auth[^"]*"\n/);

/** Processes of a group, dead ones aside. */
function groupOf(pid: number | undefined): string[] {
  const processes = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return processes.filter((line) => line.trim().startsWith(`${pid} `) && !/^\s*\d+\s+Z/.test(line));
}

async function ctrlC({ child }: Started): Promise<void> {
  const { pid = 0 } = child;
  const exited = once(child, 'exit');
  process.kill(-pid, 'SIGINT');
  await exited;
  await expect.poll(() => groupOf(pid)).toEqual([]);
}

const shell = (script: string) => execFileSync('bash', ['-c', script], { encoding: 'utf8' });

describe.skipIf(deployed)('npm start', () => {
  it('prints a token, where the console is, and curls that work; Ctrl-C leaves nothing running; data survives', async () => {
    const port = await freePort();
    const first = start(port);
    await ready(first);
    const exported = /export TOKEN=\S+/.exec(first.output())?.[0];
    const [create = '', list = ''] = first.output().match(/curl (?:.*\\\n)*.*/g) ?? [];
    const made = JSON.parse(shell(`${exported}\n${create}`));
    expect(made).toMatchObject({ name: 'Receptionist', user_id: 'demo' });
    expect(JSON.parse(shell(`${exported}\n${list}`))).toEqual([made]);
    expect(shell(`curl -s ${/http\S+\/console\//.exec(first.output())}`)).toContain('<!doctype html>');
    await ctrlC(first);

    const secondPort = await freePort();
    const second = start(secondPort);
    await ready(second);
    const again = second.output().match(/curl (?:.*\\\n)*.*/g)?.[1];
    expect(JSON.parse(shell(`${exported}\n${again}`))).toEqual([made]);
    const token = execFileSync('npm', ['run', '-s', 'token', '--', '--sub', 'alice', '--ttl', '60'], {
      env: { ...process.env, DATA_DIR: dir },
      encoding: 'utf8',
    });
    const key = execFileSync('npm', ['run', '-s', 'key', '--', '--sub', 'alice', '--scope', 'logs, runtime'], {
      env: { ...process.env, DATA_DIR: dir },
      encoding: 'utf8',
    });
    expect(key).toMatch(/^va_dev_[0-9a-z]{57}\n$/);
    const check = /http:\/\/\S+/.exec(second.output())?.[0];
    for (const bearer of [token.trim(), key.trim()]) {
      expect(shell(`curl -s ${check}/protected -H "Authorization: Bearer ${bearer}"`)).toContain('"user_id":"alice"');
    }

    // As somebody who has set the port or the folder only where the host was started.
    const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(secondPort), DATA_DIR: '' };
    const found = spawnSync('npm', ['run', '-s', 'token'], { env, encoding: 'utf8' });
    expect(found.stderr).toBe(`Local host: ${check}, data in ${dir}\n`);
    expect(shell(`curl -s ${check}/protected -H "Authorization: Bearer ${found.stdout.trim()}"`)).toContain('"demo"');

    const third = start(await freePort());
    await once(third.child, 'exit');
    expect(third.output()).toMatch(/is in use by process \d+: stop it, or choose another folder by DATA_DIR\n/);
    await ctrlC(second);
  });

  it('says in one sentence that its port is taken, and leaves nothing running', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const started = start(port);
    const [code] = await once(started.child, 'exit');
    taken.close();
    expect(code).toBe(1);
    expect(started.output()).toContain(
      `Port ${port} is taken: choose another, for example PORT=${port + 1} npm start\n`,
    );
    expect(started.output()).not.toContain('    at ');
    await expect.poll(() => groupOf(started.child.pid)).toEqual([]);
  });
});

it.each(['token', 'key', 'export'])('npm run %s refuses a folder that no host has served', (command) => {
  const unserved = join(dir, 'unserved');
  const { status, stdout, stderr } = spawnSync(
    'npm',
    ['run', '-s', command, '--', ...(command === 'export' ? ['--user', 'demo'] : [])],
    {
      env: { ...process.env, DATA_DIR: unserved },
      encoding: 'utf8',
    },
  );
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `No host has ever served ${unserved}: start one (npm start), or name another folder by DATA_DIR\n`,
  );
  expect(existsSync(unserved)).toBe(false);
});

describe.skipIf(deployed)('npm run invoke', () => {
  const invoke = (...args: string[]) =>
    execFileSync('npm', ['run', '-s', 'invoke', '--', ...args], {
      env: { ...process.env, DATA_DIR: dir },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  it('runs a function on its event, and prints status, duration and body', () => {
    const output = invoke('assistants/create');
    expect(output).toMatch(/^200 in [\d.]+ ms\n/);
    expect(output).toContain('"user_id": "demo"');
  });

  it('calls as a worker where the event is one of a worker', () => {
    expect(invoke('assistants/runtime-config')).toMatch(/^404 in/); // the id in the event is made up
  });

  it('takes another event', () => {
    const event = JSON.parse(readFileSync('events/assistants/create.json', 'utf8'));
    const file = join(dir, 'event.json');
    writeFileSync(file, JSON.stringify({ ...event, body: '{}' }));
    expect(invoke('assistants/create', file)).toMatch(/^422 in/);
  });

  it('prints just the answer of a function that no route leads to', () => {
    expect(JSON.parse(invoke('ingest'))).toEqual({ batchItemFailures: expect.any(Array) });
  });

  it('says what it does not know', () => {
    expect(() => invoke('assistants/fly')).toThrow('No function is called assistants/fly');
  });
});
