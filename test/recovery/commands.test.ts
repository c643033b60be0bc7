import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readManifest } from '../../infra/commands/data/export/export-folder.ts';
import { createUser, deployed } from '../support/api.ts';
import { createFullUser, type FullUser } from '../support/full-user.ts';
import { copyTable, findStoredData } from '../support/recovery.ts';
import { eventually } from '../support/timeouts.ts';

const scratch = mkdtempSync(join(tmpdir(), 'recovery-'));
afterAll(() => rmSync(scratch, { recursive: true }));

const dir = join(scratch, 'export');

function start(...args: string[]): ChildProcess {
  const [command, ...options] = args;
  return spawn('node', [`infra/commands/data/${command}.ts`, ...options], {
    env: { ...process.env, DATA_DIR: inject('dataDir') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs a command and returns its output. */
async function run(...args: string[]): Promise<{ out: string; err: string }> {
  const { stdout, stderr } = start(...args);
  if (!stdout || !stderr) throw new Error('The child process has no output stream');
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { out, err };
}

/** Runs a command and kills it once it reports progress. */
async function runAndKill(...args: string[]): Promise<void> {
  const child = start(...args);
  if (!child.stderr) throw new Error('The child process has no output stream');
  for await (const chunk of child.stderr) if (/(Rows|Files) /.test(String(chunk))) break;
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

describe.skipIf(deployed)('commands for the data of a user', () => {
  let alice: FullUser;
  let before: Record<string, string>;
  beforeAll(async () => {
    alice = await createFullUser({ sessions: 100, long: 5 });
    before = await findStoredData(alice.owner);
  });
  const countRows = () => Object.keys(before).filter((name) => /^(USER|KEY)#/.test(name)).length;
  const countFiles = () => Object.keys(before).length - countRows();

  it('print their usage if an option is missing', async () => {
    for (const command of ['export', 'import', 'forget'])
      expect((await run(command)).err).toContain(`npm run ${command} -- --`);
    expect((await run('import', '--from', scratch)).err).toBe(`${scratch} holds no export: it has no manifest.json\n`);
  });

  it('export: prints nothing that a terminal obeys', async () => {
    const { out } = await run('export', '--user', 'eve\u001b]0;owned\u0007', '--to', join(scratch, 'of-nobody'));
    expect(out).toContain('has nothing of eve\\u{1b}]0;owned\\u{7} ');
  });

  it('import: prints names of users within a line', async () => {
    const [eve, other] = await Promise.all([createUser(), createUser()]);
    const name = 'x\n\nImport incomplete';
    await eve.post('/user-credentials', { service_type: 'openai', name, api_key: 'sk-eve' });
    await eve.post('/api-keys', { name, scopes: ['logs'] });
    const to = join(scratch, 'of-eve');
    await run('export', '--user', eve.sub, '--to', to);
    const { out } = await run('import', '--from', to, '--user', other.sub);
    expect(out).toContain('save them again: openai x\\u{a}\\u{a}Import incomplete\n');
    expect(out).toContain('create new ones: x\\u{a}\\u{a}Import incomplete\n');
    await eve.post('/user-credentials', { service_type: 'openai', name, api_key: 'sk-changed' });
    const { err } = await run('import', '--from', to);
    expect(err).toContain('CREDENTIAL#openai#x\\u{a}\\u{a}Import incomplete\n');
  });

  it('export: completes a killed run, and changes nothing if repeated', async () => {
    const args = ['export', '--user', alice.user, '--to', dir];
    await runAndKill(...args);
    const { out, err } = await run(...args);
    if (out.includes('already holds')) return; // the killed run had already completed
    expect(out).toBe(`${dir} holds ${countRows()} rows and ${countFiles()} files of ${alice.user}\n`);
    expect(err).toMatch(/^Files {2}\[#{30}\] 100 %$/m);
    expect((await run(...args)).out).toMatch(/already holds the complete export of \S+Z\. Use --to/);
    expect((await run('export', '--user', 'bob', '--to', dir)).err).toContain('holds an export of another user');
  });

  it('forget: requires confirmation, completes a killed run, and reports that nothing is left', async () => {
    const args = ['forget', '--user', alice.user];
    const { err } = await run(...args);
    expect(err).toContain(`${countRows()} rows and ${countFiles()} versions of files of ${alice.user}`);
    expect(err).toContain('confirm with --yes');
    expect(await findStoredData(alice.owner)).toEqual(before);
    await runAndKill(...args, '--yes');
    const again = await run(...args, '--yes');
    expect(again.out || again.err).toMatch(/A second look found 0 rows and 0 versions|has nothing of/);
    expect(await findStoredData(alice.owner)).toEqual({});
    for (const file of ['dynamodb.sqlite', 'dynamodb.sqlite-wal']) {
      const bytes = readFileSync(join(inject('dataDir'), file));
      expect(bytes.includes(alice.owner), file).toBe(false);
    }
    // Beside other tests, the database may be in use for the whole time that the command waits.
    const out = await eventually(async () => {
      const last = await run(...args, '--yes');
      expect(last.out || last.err).toContain(`the local host has nothing of ${alice.user}`);
      return last.out;
    });
    expect(out).toContain(
      'Some data remains elsewhere: the logs in the data folder, workspaces in which a person acted, and exports (docs',
    );
  });

  it('import: completes a killed run, and changes nothing if repeated', async () => {
    const args = ['import', '--from', dir];
    await runAndKill(...args);
    await run(...args);
    expect(await findStoredData(alice.owner)).toEqual(before);
    const { out } = await run(...args);
    expect(out).toMatch(
      new RegExp(`^0 rows written, \\d+ already there\n0 files written, ${countFiles()} already there\n$`),
    );
    expect(existsSync(join(dir, 'manifest.json'))).toBe(true);
  });

  it('export --all: completes a killed run, and writes an importable folder for each user', async () => {
    const users = [alice, await createFullUser({ sessions: 3, long: 1 })];
    const { table, rows } = await copyTable(users.map(({ owner }) => owner));
    const to = join(scratch, 'all');
    const args = ['export', '--all', '--table', table, '--to', to];
    await runAndKill(...args);
    expect((await run(...args)).out).toContain(`${to} holds 2 users of the local host, each in a folder\n`);
    const manifests = await Promise.all(users.map(({ owner }) => readManifest(join(to, owner))));
    expect(manifests.map((manifest) => manifest?.user)).toEqual([null, null]);
    expect(manifests.reduce((sum, manifest) => sum + (manifest?.rows?.count ?? 0), 0)).toBe(rows);
    expect((await run(...args)).out).toContain('Skipped 2 folders with a complete export');
    expect((await run('import', '--from', join(to, alice.owner))).out).toContain('0 rows written');
  });
});
