import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { isListening } from '../../infra/local/emulators/port.ts';
import { deployed } from '../support/api.ts';

const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-start-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Finds a port that is not in use, below those that the system gives to other tests. */
async function findFreePort(): Promise<number> {
  const port = randomInt(10_000, 30_000);
  return (await isListening(port)) ? findFreePort() : port;
}

interface Started {
  child: ChildProcess;
  /** Returns all output up to now. */
  output: () => string;
}

function start(port: number, dataDir = dir): Started {
  // Starts a process group, so that Ctrl-C reaches all its processes, as in a terminal.
  const child = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

const waitUntilReady = ({ output }: Started) => expect.poll(output).toMatch(/curl -s \S+ -H "Auth[^"]*"\n/);

/** Returns the two commands in the output that export the API's address and a token. */
const getExports = ({ output }: Started) => output().match(/export .*/g) ?? [];

/** Lists the running processes of a group. */
function listGroup(pid: number | undefined): string[] {
  const processes = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return processes.filter((line) => line.trim().startsWith(`${pid} `) && !/^\s*\d+\s+Z/.test(line));
}

async function pressCtrlC({ child }: Started): Promise<void> {
  const { pid = 0 } = child;
  const exited = once(child, 'exit');
  process.kill(-pid, 'SIGINT');
  await exited;
  await expect.poll(() => listGroup(pid)).toEqual([]);
}

/** Ends a host by signals to it alone, as often as its processes are still there. */
async function terminate({ child }: Started): Promise<void> {
  const { pid } = JSON.parse(readFileSync(join(dir, 'host.json'), 'utf8'));
  const signal = () => {
    try {
      return process.kill(pid, 'SIGTERM');
    } catch {
      return false; // the host has ended
    }
  };
  while (signal()) await setImmediate();
  await expect.poll(() => listGroup(child.pid)).toEqual([]);
}

const runShell = (script: string) => execFileSync('bash', ['-c', script], { encoding: 'utf8' });

describe.skipIf(deployed)('npm start', () => {
  it('prints a token, the console address and working curls, stops on Ctrl-C and keeps its data', async () => {
    const port = await findFreePort();
    const first = start(port);
    await waitUntilReady(first);
    const [api, token] = getExports(first);
    const [create = '', list = ''] = first.output().match(/curl (?:.*\\\n)*.*/g) ?? [];
    const created = JSON.parse(runShell(`${api}\n${token}\n${create}`));
    expect(created).toMatchObject({ name: 'Receptionist', user_id: 'demo' });
    expect(JSON.parse(runShell(`${api}\n${token}\n${list}`))).toEqual([created]);
    expect(runShell(`curl -s ${/http\S+\/console\//.exec(first.output())}`)).toContain('<!doctype html>');
    await pressCtrlC(first);

    const secondPort = await findFreePort();
    const second = start(secondPort);
    await waitUntilReady(second);
    expect(JSON.parse(runShell(`${getExports(second)[0]}\n${token}\n${list}`))).toEqual([created]);
    const other = execFileSync('npm', ['run', '-s', 'token', '--', '--sub', 'alice', '--ttl', '60'], {
      env: { ...process.env, DATA_DIR: dir },
      encoding: 'utf8',
    });
    const key = spawnSync('npm', ['run', '-s', 'key', '--', '--sub', 'alice', '--scope', 'logs, runtime'], {
      env: { ...process.env, DATA_DIR: dir },
      encoding: 'utf8',
    });
    const check = /http:\/\/\S+/.exec(second.output())?.[0];
    expect(key.stderr).toBe(`Local host: ${check}, data in ${dir}\n`);
    expect(key.stdout).toMatch(/^va_dev_[0-9a-z]{57}\n$/);
    for (const bearer of [other.trim(), key.stdout.trim()]) {
      expect(runShell(`curl -s ${check}/protected -H "Authorization: Bearer ${bearer}"`)).toContain(
        '"user_id":"alice"',
      );
    }

    const claims = ['--claim', 'org_id=acme', '--claim', 'org_role=admin'];
    for (const command of ['token', 'key']) {
      const { stdout } = spawnSync('npm', ['run', '-s', command, '--', '--sub', 'alice', ...claims], {
        env: { ...process.env, DATA_DIR: dir },
        encoding: 'utf8',
      });
      expect(runShell(`curl -s ${check}/protected -H "Authorization: Bearer ${stdout.trim()}"`)).toContain(
        '"workspace":"acme"',
      );
    }

    // Runs the command in a shell that does not have the host's DATA_DIR.
    const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(secondPort), DATA_DIR: '' };
    const found = spawnSync('npm', ['run', '-s', 'token'], { env, encoding: 'utf8' });
    expect(found.stderr).toBe(`Local host: ${check}, data in ${dir}\n`);
    expect(runShell(`curl -s ${check}/protected -H "Authorization: Bearer ${found.stdout.trim()}"`)).toContain(
      '"demo"',
    );

    const third = start(await findFreePort());
    await once(third.child, 'exit');
    expect(third.output()).toMatch(/is in use by process \d+: stop it, or choose another folder by DATA_DIR\n/);
    await terminate(second);
  });

  it('reports a port in use in one sentence, and leaves nothing running', async () => {
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
    await expect.poll(() => listGroup(started.child.pid)).toEqual([]);
  });
});

it('ends the database of a host that crashes', async () => {
  const program = `
    import { startDynamoDb } from './infra/local/emulators/dynamodb.ts';
    const { endpoint } = await startDynamoDb(${JSON.stringify(dir)});
    console.log(endpoint);
    throw new Error('crash');`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const { port, hostname } = new URL(stdout);
  expect(status).toBe(1);
  await expect.poll(() => isListening(Number(port), hostname)).toBe(false);
});

it.each(['token', 'key', 'export'])('npm run %s rejects a folder that no host has used', (command) => {
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

  it('runs a function on its sample event and prints status, duration and body', () => {
    const output = invoke('assistants/create');
    expect(output).toMatch(/^200 in [\d.]+ ms\n/);
    expect(output).toContain('"user_id": "demo"');
  });

  it('uses an API key for the event of a worker', () => {
    expect(invoke('assistants/runtime-config')).toMatch(/^404 in/); // the event has a made-up id
  });

  it('accepts another event', () => {
    const event = JSON.parse(readFileSync('events/assistants/create.json', 'utf8'));
    const file = join(dir, 'event.json');
    writeFileSync(file, JSON.stringify({ ...event, body: '{}' }));
    expect(invoke('assistants/create', file)).toMatch(/^422 in/);
  });

  it('prints only the result of a function without a route', () => {
    expect(JSON.parse(invoke('ingest'))).toEqual({ batchItemFailures: expect.any(Array) });
    expect(invoke('sweep')).toBe('');
  });

  it('reports an unknown route', () => {
    expect(() => invoke('assistants/fly')).toThrow('There is no function assistants/fly');
  });
});
