import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readManifest } from '../../infra/data/folder.ts';
import { deployed } from '../support/api.ts';
import { type FullUser, fullUser } from '../support/full-user.ts';
import { copyTable, everythingOf } from '../support/recovery.ts';

const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const dir = join(scratch, 'export');

function start(...args: string[]): ChildProcess {
  const [command, ...options] = args;
  return spawn('node', [`infra/data/${command}.ts`, ...options], {
    env: { ...process.env, DATA_DIR: inject('dataDir') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a command to its end, and gives what it prints. */
async function run(...args: string[]): Promise<{ out: string; err: string }> {
  const { stdout, stderr } = start(...args);
  if (!stdout || !stderr) throw new Error('It should be heard');
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { out, err };
}

/** Runs a command, and kills it once it has told how far it is. */
async function kill(...args: string[]): Promise<void> {
  const child = start(...args);
  if (!child.stderr) throw new Error('It should be heard');
  for await (const chunk of child.stderr) if (/(Rows|Files) /.test(String(chunk))) break;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

describe.skipIf(deployed)('the commands for the data of a user', () => {
  let alice: FullUser;
  let before: Record<string, string>;
  beforeAll(async () => {
    alice = await fullUser({ sessions: 100, long: 5 });
    before = await everythingOf(alice.owner);
  });
  const rows = () => Object.keys(before).filter((name) => /^(USER|KEY)#/.test(name)).length;
  const files = () => Object.keys(before).length - rows();

  it('say what they need', async () => {
    for (const command of ['export', 'import', 'forget'])
      expect((await run(command)).err).toContain(`npm run ${command} -- --`);
    expect((await run('import', '--from', scratch)).err).toBe(
      `${scratch} holds no export: there is no manifest.json\n`,
    );
  });

  it('export: ends what was killed, and changes nothing when run again', async () => {
    const args = ['export', '--user', alice.user, '--to', dir];
    await kill(...args);
    const { out, err } = await run(...args);
    if (out.includes('Nothing was done')) return; // it was faster than the signal
    expect(out).toBe(`${rows()} rows and ${files()} files of ${alice.user} are in ${dir}\n`);
    expect(err).toMatch(/^Files {2}\[#{30}\] 100 %$/m);
    expect((await run(...args)).out).toMatch(/holds the whole export of \S+Z\. Nothing was done/);
    expect((await run('export', '--user', 'bob', '--to', dir)).err).toContain('holds an export of another user');
  });

  it('forget: asks first, ends what was killed, and says that nothing is left', async () => {
    const args = ['forget', '--user', alice.user];
    const { err } = await run(...args);
    expect(err).toContain(`${rows()} rows and ${files()} versions of files of ${alice.user}`);
    expect(err).toContain('say --yes');
    expect(await everythingOf(alice.owner)).toEqual(before);
    await kill(...args, '--yes');
    expect((await run(...args, '--yes')).out).toMatch(/Looked again: 0 rows and 0 versions|has nothing of/);
    expect(await everythingOf(alice.owner)).toEqual({});
    for (const file of ['dynamodb.sqlite', 'dynamodb.sqlite-wal']) {
      const bytes = readFileSync(join(inject('dataDir'), file));
      expect(bytes.includes(alice.owner), file).toBe(false);
    }
    expect((await run(...args, '--yes')).out).toContain(`the local host has nothing of ${alice.user}`);
  });

  it('import: ends what was killed, and changes nothing when run again', async () => {
    const args = ['import', '--from', dir];
    await kill(...args);
    await run(...args);
    expect(await everythingOf(alice.owner)).toEqual(before);
    const { out } = await run(...args);
    expect(out).toMatch(
      new RegExp(`^0 rows written, \\d+ already there\n0 files written, ${files()} already there\n$`),
    );
    expect(existsSync(join(dir, 'manifest.json'))).toBe(true);
  });

  it('export --all: ends what was killed, with a folder for each user, from which they can be restored', async () => {
    const users = [alice, await fullUser({ sessions: 3, long: 1 })];
    const { table, rows } = await copyTable(users.map(({ owner }) => owner));
    const to = join(scratch, 'all');
    const args = ['export', '--all', '--table', table, '--to', to];
    await kill(...args);
    expect((await run(...args)).out).toContain(`2 users of the local host are in ${to}, a folder each\n`);
    const manifests = await Promise.all(users.map(({ owner }) => readManifest(join(to, owner))));
    expect(manifests.map((manifest) => manifest?.user)).toEqual([null, null]);
    expect(manifests.reduce((sum, manifest) => sum + (manifest?.rows?.count ?? 0), 0)).toBe(rows);
    expect((await run(...args)).out).toContain('2 folders held a whole export and stayed as they were');
    expect((await run('import', '--from', join(to, alice.owner))).out).toContain('0 rows written');
  });
});
