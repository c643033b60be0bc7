import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, createUser } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { createFolder, runCli, startCli } from '../support/cli.ts';
import { answer, type ReceivedRequest, startReceiver } from '../support/receiver.ts';

const run = promisify(execFile);

const prompt = 'You answer the phone of a dental clinic.\n\n# Opening hours\n\nFrom nine to five.\n';

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const readLock = (folder: string) => JSON.parse(read(folder, 'assistants', 'assistants.lock.json'));

/** Replaces a text in a file of the folder. */
function edit(folder: string, file: string, from: string, to: string): void {
  const path = join(folder, 'assistants', file);
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(from);
  writeFileSync(path, before.replace(from, to));
}

/** Writes a file of a new assistant. */
function writeNew(folder: string, file: string, text: string): void {
  mkdirSync(join(folder, 'assistants'), { recursive: true });
  writeFileSync(join(folder, 'assistants', file), text);
}

/** Runs a command that must succeed, and returns what it printed. */
async function succeed(user: Client, folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(user, folder, 'assistants', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Runs a command that must fail, and returns the sentences on stderr. */
async function fail(user: Client, folder: string, ...args: string[]): Promise<string[]> {
  const { code, stderr } = await runCli(user, folder, 'assistants', ...args);
  expect(code).toBe(1);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.filter((line) => !line.startsWith('voice-assistants: '))).toEqual([]);
  return lines.map((line) => line.replace('voice-assistants: ', ''));
}

/** Environment of a shell in a folder, with the login of a user and a name for git. */
const toEnv = ({ baseUrl, token }: Client, folder: string) => ({
  ...process.env,
  HOME: folder,
  VA_URL: baseUrl,
  VA_TOKEN: token,
  GIT_AUTHOR_NAME: 'Bob',
  GIT_AUTHOR_EMAIL: 'bob@example.com',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.com',
});

const getAssistant = async (user: Client, id: string) => (await user.get<Assistant>(`/assistants/${id}`)).body;

describe('a folder of assistants', () => {
  test('goes round: pull, edit, diff, push, pull', async () => {
    const user = await createUser();
    const { body: clinic } = await createAssistant(user, {
      name: 'Clinic Weber',
      system_instruction: prompt,
      voice: { language: 'de', speed: 1.05 },
      tools: [{ type: 'end_call', name: 'hang_up' }],
    });
    const folder = createFolder();
    expect(await succeed(user, folder, 'pull')).toContain('1 assistant: 1 written, 0 unchanged');
    const text = read(folder, 'assistants', 'clinic-weber.yaml');
    expect(text).toMatch(/^id: [0-9a-f-]{36}\nname: Clinic Weber\nsystem_instruction: \|\n {2}You answer the phone/);
    expect(parse(text)).toMatchObject({
      id: clinic.id,
      system_instruction: prompt,
      voice: { language: 'de', speed: 1.05 },
    });
    expect(parse(text)).not.toHaveProperty('llm');
    expect(await succeed(user, folder, 'diff')).toBe('1 assistant: 0 to create, 0 to update, 1 unchanged\n');

    edit(folder, 'clinic-weber.yaml', 'From nine to five.', 'From eight to six.');
    edit(folder, 'clinic-weber.yaml', '  speed: 1.05\n', '');
    edit(folder, 'clinic-weber.yaml', 'name: Clinic Weber', '# The name that callers hear\nname: Clinic Weber');
    const diff = await succeed(user, folder, 'diff');
    expect(diff).toContain('-  From nine to five.\n+  From eight to six.\n');
    expect(diff).toContain('-  speed: 1.05\n');
    expect(diff).toContain('0 to create, 1 to update, 0 unchanged');
    expect(await succeed(user, folder, 'push')).toContain('1 assistant: 0 created, 1 updated, 0 unchanged');
    const pushed = await getAssistant(user, clinic.id);
    expect(pushed.system_instruction).toContain('From eight to six.');
    expect(pushed.voice).not.toHaveProperty('speed');

    const before = read(folder, 'assistants', 'clinic-weber.yaml');
    expect(await succeed(user, folder, 'pull')).toContain('1 assistant: 0 written, 1 unchanged');
    expect(read(folder, 'assistants', 'clinic-weber.yaml')).toBe(before);
    await user.put(`/assistants/${clinic.id}`, { description: 'For patients' });
    await succeed(user, folder, 'pull');
    expect(read(folder, 'assistants', 'clinic-weber.yaml')).toBe(`${before}description: For patients\n`);
  });

  test('creates assistants from new files, and writes their ids into them', async () => {
    const user = await createUser();
    const folder = createFolder();
    const yaml = '# Ours\nname: Night line # after six\nsystem_instruction: Be brief.\n';
    writeNew(folder, 'night.yaml', yaml);
    writeNew(folder, 'day.json', '{"name": "Day line", "system_instruction": "Be kind.", "first_message": null}');
    expect(await succeed(user, folder, 'diff')).toContain('2 assistants: 2 to create, 0 to update, 0 unchanged');
    expect(await succeed(user, folder, 'push')).toContain('2 assistants: 2 created, 0 updated, 0 unchanged');
    const { assistants } = readLock(folder);
    expect(Object.keys(assistants)).toEqual(['day.json', 'night.yaml']);
    expect(read(folder, 'assistants', 'night.yaml')).toBe(
      yaml.replace('# Ours\n', `# Ours\nid: ${assistants['night.yaml'].id}\n`),
    );
    expect((await getAssistant(user, assistants['day.json'].id)).first_message).toBeNull();
    expect(await succeed(user, folder, 'push')).toContain('2 assistants: 0 created, 0 updated, 2 unchanged');
  });

  test('follows a renamed file, and deletes only when told to', async () => {
    const user = await createUser();
    const { body: one } = await createAssistant(user, { name: 'One' });
    const { body: two } = await createAssistant(user, { name: 'Two' });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    renameSync(join(folder, 'assistants', 'one.yaml'), join(folder, 'assistants', 'first.yaml'));
    rmSync(join(folder, 'assistants', 'two.yaml'));
    const pushed = await runCli(user, folder, 'assistants', 'push');
    expect(pushed).toMatchObject({
      code: 0,
      stderr: '1 assistant not deleted, though the file is gone: push --delete deletes\n',
    });
    expect(Object.keys(readLock(folder).assistants)).toEqual(['first.yaml', 'two.yaml']);
    expect(await succeed(user, folder, 'push', '--delete')).toContain(
      '1 assistant: 0 created, 0 updated, 1 deleted, 1 unchanged',
    );
    expect((await user.get(`/assistants/${two.id}`)).status).toBe(404);
    expect((await user.get(`/assistants/${one.id}`)).status).toBe(200);
  });

  test('gives assistants of one name, and of strange names, files of their own', async () => {
    const user = await createUser();
    for (const name of ['Öffnungszeiten', '../../etc/passwd', '日本', 'A', 'a', '\u001b[31mRed'])
      await createAssistant(user, { name });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    const files = readdirSync(join(folder, 'assistants')).toSorted();
    const expected = ['31mred', 'a', 'a-2', 'assistant', 'etc-passwd', 'offnungszeiten'].map((name) => `${name}.yaml`);
    expect(files.toSorted()).toEqual([...expected, 'assistants.lock.json'].toSorted());
    expect(await succeed(user, folder, 'diff')).toContain('6 assistants: 0 to create, 0 to update, 6 unchanged');
  });
});

describe('two people who push', () => {
  test('are told of the conflict, and nothing is lost', async () => {
    const user = await createUser();
    const { body: clinic } = await createAssistant(user, { name: 'Clinic', system_instruction: prompt });
    await createAssistant(user, { name: 'Other' });
    const [ann, bob] = [createFolder(), createFolder()];
    await Promise.all([ann, bob].map((folder) => succeed(user, folder, 'pull')));
    const runInShell = (script: string) => run('bash', ['-ec', script], { cwd: bob, env: toEnv(user, bob) });
    await runInShell(
      'git init --quiet --initial-branch=main && git add assistants && git commit --quiet --message Pulled',
    );
    edit(ann, 'clinic.yaml', 'nine to five', 'eight to six');
    edit(bob, 'clinic.yaml', 'dental clinic', 'dentist');
    edit(bob, 'other.yaml', 'name: Other', 'name: Another');
    await succeed(user, ann, 'push');
    const conflict = [
      'assistants/clinic.yaml was changed on the server since it was pulled: run assistants pull first',
    ];
    expect(await fail(user, bob, 'push')).toEqual([...conflict, 'Nothing was pushed']);
    const shown = await runCli(user, bob, 'assistants', 'diff');
    expect([shown.code, shown.stderr]).toEqual([1, `voice-assistants: ${conflict[0]}\n`]);
    expect(shown.stdout).toContain('-  From eight to six.\n');
    expect(shown.stdout).toContain('2 assistants: 0 to create, 1 to update, 0 unchanged, 1 conflict\n');
    const { body: all } = await user.get<Assistant[]>('/assistants');
    expect(all.map(({ name }) => name).toSorted()).toEqual(['Clinic', 'Other']);
    expect((await getAssistant(user, clinic.id)).system_instruction).toContain('eight to six');

    const mine = read(bob, 'assistants', 'clinic.yaml');
    const [told] = await fail(user, bob, 'pull');
    expect(told).toBe('assistants/clinic.yaml was changed here and on the server');
    expect(read(bob, 'assistants', 'clinic.yaml')).toBe(mine);
    expect(await fail(user, bob, 'push')).toContain('Nothing was pushed');
    // The commands that the help names merge both.
    const { stdout: help } = await runCli(user, bob, 'assistants', 'pull', '--help');
    const commands = [...help.matchAll(/^ {2}((?:git|voice-assistants) .*)$/gm)].map(([, line = '']) => line);
    expect(commands).toHaveLength(5);
    const program = `"${process.execPath}" --disable-warning=ExperimentalWarning "${resolve('clients/cli/main.ts')}"`;
    await runInShell(`voice-assistants() { ${program} "$@"; }\n${commands.join('\n')}`);
    await succeed(user, bob, 'push');
    await succeed(user, bob, 'pull');
    expect(read(bob, 'assistants', 'other.yaml')).toContain('name: Another');
    const { system_instruction: merged } = await getAssistant(user, clinic.id);
    expect(merged).toContain('dentist');
    expect(merged).toContain('eight to six');
  });

  test('do not disturb each other with a publication, which changes no draft', async () => {
    const user = await createUser();
    const { body: clinic } = await createAssistant(user, { name: 'Clinic' });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    await user.post(`/assistants/${clinic.id}/versions`, {});
    edit(folder, 'clinic.yaml', 'name: Clinic', 'name: Surgery');
    await succeed(user, folder, 'push');
    expect((await getAssistant(user, clinic.id)).name).toBe('Surgery');
  });

  test('get a conflict also for what was deleted', async () => {
    const user = await createUser();
    const { body: one } = await createAssistant(user, { name: 'One' });
    const { body: two } = await createAssistant(user, { name: 'Two' });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    await user.delete(`/assistants/${one.id}`);
    await user.put(`/assistants/${two.id}`, { name: 'Two, edited' });
    rmSync(join(folder, 'assistants', 'two.yaml'));
    expect(await fail(user, folder, 'push', '--delete')).toEqual([
      'assistants/one.yaml was deleted on the server: delete the file, or remove its id to create it again',
      'assistants/two.yaml was deleted here but changed on the server: run assistants pull first',
      'Nothing was pushed',
    ]);
    await succeed(user, folder, 'pull');
    expect(readdirSync(join(folder, 'assistants')).toSorted()).toEqual(['assistants.lock.json', 'two.yaml']);
  });
});

/** Sends a request on to the API, and its answer back. `beforeAnswer` runs in between. */
async function forward(
  { baseUrl }: Client,
  response: ServerResponse,
  { headers, path, body }: ReceivedRequest,
  beforeAnswer = () => {},
) {
  const { host: _, connection: __, 'content-length': ___, ...sent } = headers;
  const init = { method: body ? (path === '/assistants' ? 'POST' : 'PUT') : 'GET', headers: sent, body: body || null };
  const real = await fetch(baseUrl + path, init);
  const etag = real.headers.get('etag');
  const text = await real.text();
  beforeAnswer();
  response.writeHead(real.status, { 'content-type': 'application/json', ...(etag && { etag }) }).end(text);
}

describe('an edited file', () => {
  /** Creates a folder with the assistants A and B that were pulled. */
  async function pullTwo() {
    const user = await createUser();
    const { body: a } = await createAssistant(user, { name: 'A', system_instruction: 'x' });
    const { body: b } = await createAssistant(user, { name: 'B', system_instruction: 'x' });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    return { user, folder, a: a.id, b: b.id };
  }

  test('without its id stays, unless pull --force', async () => {
    const { user, folder, a } = await pullTwo();
    edit(folder, 'a.yaml', `id: ${a}\n`, '');
    edit(folder, 'a.yaml', 'system_instruction: x', 'system_instruction: mine');
    const told = `assistants/a.yaml should have the id ${a} but has none: put it back, or rename the file`;
    expect((await fail(user, folder, 'pull'))[0]).toBe(told);
    expect(read(folder, 'assistants', 'a.yaml')).toContain('mine');
    expect((await fail(user, folder, 'push'))[0]).toBe(told);
    await succeed(user, folder, 'pull', '--force');
    expect(parse(read(folder, 'assistants', 'a.yaml'))).toMatchObject({ id: a, system_instruction: 'x' });
  });

  test('stays if it took the name of another', async () => {
    const { user, folder, a, b } = await pullTwo();
    renameSync(join(folder, 'assistants', 'a.yaml'), join(folder, 'assistants', 'b.yaml'));
    edit(folder, 'b.yaml', 'system_instruction: x', 'system_instruction: mine');
    await succeed(user, folder, 'pull');
    expect(parse(read(folder, 'assistants', 'b.yaml'))).toMatchObject({ id: a, system_instruction: 'mine' });
    expect(parse(read(folder, 'assistants', 'b-2.yaml'))).toMatchObject({ id: b });
    expect(await succeed(user, folder, 'push')).toContain('2 assistants: 0 created, 1 updated, 1 unchanged');
  });

  test('of a deleted assistant creates it again once its id is removed', async () => {
    const { user, folder, a } = await pullTwo();
    await user.delete(`/assistants/${a}`);
    expect((await fail(user, folder, 'push'))[0]).toContain('remove its id to create it again');
    edit(folder, 'a.yaml', `id: ${a}\n`, '');
    const text = read(folder, 'assistants', 'a.yaml');
    expect(await succeed(user, folder, 'diff')).toContain('1 to create');
    await succeed(user, folder, 'pull');
    expect(read(folder, 'assistants', 'a.yaml')).toBe(text);
    expect(await succeed(user, folder, 'push')).toContain('2 assistants: 1 created, 0 updated, 1 unchanged');
  });

  test('that is saved during a pull stays', async () => {
    const { user, folder, a, b } = await pullTwo();
    await user.put(`/assistants/${a}`, { name: 'Other' });
    await user.delete(`/assistants/${b}`);
    const proxy = await startReceiver();
    proxy.script = (response, request) =>
      void forward(user, response, request, () => {
        for (const name of request.path === `/assistants/${a}` ? ['a.yaml', 'b.yaml'] : [])
          writeFileSync(join(folder, 'assistants', name), `# Mine\n${read(folder, 'assistants', name)}`);
      });
    const through: Client = { ...user, baseUrl: new URL(proxy.url).origin };
    const path = join(folder, 'assistants', 'assistants.lock.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(user.baseUrl, through.baseUrl));
    expect(await fail(through, folder, 'pull')).toEqual([
      'assistants/a.yaml was changed here and on the server',
      'assistants/b.yaml was deleted on the server, but has changes here',
      'assistants pull --help shows how to merge both with git',
    ]);
    for (const name of ['a.yaml', 'b.yaml']) expect(read(folder, 'assistants', name)).toMatch(/^# Mine\n/);
    proxy.stop();
  });

  test('that is saved while a push creates it gets its id, and keeps the rest', async () => {
    const user = await createUser();
    const folder = createFolder();
    const files: [string, string, string][] = [
      ['a.yaml', 'name: A\nsystem_instruction: x\n', 'name: A\nsystem_instruction: mine\n'],
      ['b.yaml', 'name: B\nsystem_instruction: x\n', 'name: [B\n'],
    ];
    for (const [name, text] of files) writeNew(folder, name, text);
    const proxy = await startReceiver();
    proxy.script = (response, request) =>
      void forward(user, response, request, () => {
        for (const [name, before, after] of request.body ? files : [])
          if (JSON.parse(request.body).name === parse(before).name) writeNew(folder, name, after);
      });
    const through: Client = { ...user, baseUrl: new URL(proxy.url).origin };
    const [told] = await fail(through, folder, 'push');
    const { assistants } = readLock(folder);
    expect(read(folder, 'assistants', 'a.yaml')).toBe(`id: ${assistants['a.yaml'].id}\n${files[0]?.[2]}`);
    expect(read(folder, 'assistants', 'b.yaml')).toBe(files[1]?.[2]);
    expect(told).toContain(`created, but the file has changed meanwhile: add the id ${assistants['b.yaml'].id} to it`);
    proxy.stop();
  });
});

describe('a push that fails', () => {
  test('halfway leaves the files and the lock file true', async () => {
    const user = await createUser();
    const folder = createFolder();
    writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: A\n');
    writeNew(folder, 'b.yaml', 'name: B\nsystem_instruction: B\n');
    writeNew(folder, 'c.yaml', 'name: C\nsystem_instruction: C\n');
    const broken = await startReceiver();
    let creations = 0;
    broken.script = (response, request, number) => {
      const isSecond = request.headers['idempotency-key'] !== undefined && ++creations === 2;
      const refusal = answer(422, '{"detail":[{"loc":["body","name"],"msg":"Not this","type":"x"}]}');
      if (isSecond) refusal(response, request, number);
      else void forward(user, response, request);
    };
    const through: Client = { ...user, baseUrl: new URL(broken.url).origin };
    expect(await fail(through, folder, 'push')).toEqual([
      'assistants/b.yaml: name: Not this',
      '1 of 3 changes pushed: push again to go on',
    ]);
    expect(read(folder, 'assistants', 'a.yaml')).toMatch(/^id: /);
    expect(read(folder, 'assistants', 'b.yaml')).not.toMatch(/^id: /);
    expect(Object.keys(readLock(folder).assistants)).toEqual(['a.yaml']);
    expect(await succeed(through, folder, 'push')).toContain('3 assistants: 2 created, 0 updated, 1 unchanged');
    expect((await user.get<Assistant[]>('/assistants')).body).toHaveLength(3);
    broken.stop();
  });

  test('because Ctrl-C stopped it says that another goes on', async () => {
    const user = await createUser();
    const folder = createFolder();
    writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: A\n');
    const proxy = await startReceiver();
    const env = { VA_URL: new URL(proxy.url).origin, VA_TOKEN: user.token };
    const { ended, kill } = startCli(['assistants', 'push'], { cwd: folder, env });
    proxy.script = (response, request) =>
      void (request.headers['idempotency-key'] ? kill('SIGINT') : forward(user, response, request));
    expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'Stopped: push again to go on\n' });
    proxy.stop();
  });

  test('because somebody was faster by a moment overwrites nothing', async () => {
    const user = await createUser();
    const { body: clinic } = await createAssistant(user, { name: 'Clinic' });
    const proxy = await startReceiver();
    proxy.script = async (response, request) => {
      if (request.body) await user.put(`/assistants/${clinic.id}`, { name: 'Faster' });
      await forward(user, response, request);
    };
    const through: Client = { ...user, baseUrl: new URL(proxy.url).origin };
    const folder = createFolder();
    await succeed(through, folder, 'pull');
    const lock = readLock(folder);
    edit(folder, 'clinic.yaml', 'name: Clinic', 'name: Slower');
    expect(await fail(through, folder, 'push')).toEqual([
      'assistants/clinic.yaml was changed on the server meanwhile: run assistants pull first',
      '0 of 1 change pushed: push again to go on',
    ]);
    expect((await getAssistant(user, clinic.id)).name).toBe('Faster');
    expect(readLock(folder)).toEqual(lock);
    proxy.stop();
  });

  test.each<[string, (user: Client, folder: string) => unknown]>([
    ['', () => {}],
    [', also after a pull', (user, folder) => succeed(user, folder, 'pull')],
    [
      ', also from a renamed file',
      (_, folder) => renameSync(join(folder, 'assistants', 'a.yaml'), join(folder, 'assistants', 'b.yaml')),
    ],
  ])('after its assistant was created creates no second one%s', async (_, prepare) => {
    const user = await createUser();
    const folder = createFolder();
    writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: A\n');
    const proxy = await startReceiver();
    const url = new URL(proxy.url).origin;
    const env = { VA_URL: url, VA_TOKEN: user.token };
    const { ended, kill } = startCli(['assistants', 'push'], { cwd: folder, env });
    proxy.script = (response, request) =>
      void forward(user, response, request, () => request.headers['idempotency-key'] && kill());
    await ended;
    expect((await user.get<Assistant[]>('/assistants')).body).toHaveLength(1);
    expect(read(folder, 'assistants', 'a.yaml')).not.toMatch(/^id: /);
    expect(Object.keys(readLock(folder).creating)).toEqual(['a.yaml']);
    await prepare({ ...user, baseUrl: url }, folder);
    expect(await succeed({ ...user, baseUrl: url }, folder, 'push')).toContain('1 assistant: ');
    expect(readdirSync(join(folder, 'assistants'))).toHaveLength(2);
    expect((await user.get<Assistant[]>('/assistants')).body).toHaveLength(1);
    expect(readLock(folder)).not.toHaveProperty('creating');
    proxy.stop();
  });
});

describe('an output that nobody reads', () => {
  /** Runs a push of two new assistants in a shell, which sends its output elsewhere. */
  async function pushInShell(redirection: string) {
    const user = await createUser();
    const folder = createFolder();
    for (const name of ['A', 'B']) writeNew(folder, `${name}.yaml`, `name: ${name}\nsystem_instruction: x\n`);
    const program = `"${process.execPath}" --disable-warning=ExperimentalWarning "${resolve('clients/cli/main.ts')}"`;
    const child = spawn('bash', ['-c', `set -o pipefail; ${program} assistants push ${redirection}`], {
      cwd: folder,
      env: { ...process.env, HOME: folder, VA_URL: user.baseUrl, VA_TOKEN: user.token },
    });
    const [code] = await once(child, 'close');
    return { code, folder };
  }

  test('does not stop a push', async () => {
    const { code, folder } = await pushInShell('| true');
    expect([code, Object.keys(readLock(folder).assistants)]).toEqual([0, ['A.yaml', 'B.yaml']]);
  });

  test.skipIf(!existsSync('/dev/full'))('and cannot be written is a failure, after the push', async () => {
    const { code, folder } = await pushInShell('> /dev/full');
    expect([code, Object.keys(readLock(folder).assistants)]).toEqual([1, ['A.yaml', 'B.yaml']]);
  });
});

test('a misspelt setting is a warning before the push, because a vendor may have any', async () => {
  const user = await createUser();
  const folder = createFolder();
  writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: B\nllm:\n  temprature: 2\nvoice:\n  languag: de\n');
  const warnings = [
    'assistants/a.yaml: voice.languag is not known: did you mean language? It is stored as you wrote it',
    'assistants/a.yaml: llm.temprature is not known: did you mean temperature? It is stored as you wrote it',
  ];
  for (const args of ['diff', 'push']) {
    const { code, stderr } = await runCli(user, folder, 'assistants', args);
    expect([code, ...stderr.trimEnd().split('\n')]).toEqual([0, ...warnings]);
  }
});

test('a push follows no link that has the name of a file to write', async () => {
  const user = await createUser();
  const folder = createFolder();
  writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: x\n');
  const target = join(folder, 'target');
  writeFileSync(target, 'Mine');
  for (const name of ['a.yaml', 'assistants.lock.json']) symlinkSync(target, join(folder, 'assistants', `${name}.new`));
  await succeed(user, folder, 'push');
  expect(readFileSync(target, 'utf8')).toBe('Mine');
  expect(read(folder, 'assistants', 'a.yaml')).toMatch(/^id: /);
});

describe('a server of another version', () => {
  /** Starts a proxy that changes assistants as the server shows them. */
  async function startVersion(user: Client, change: (assistant: Record<string, unknown>) => object) {
    const proxy = await startReceiver();
    proxy.script = async (response, { path, headers }) => {
      const real = await fetch(user.baseUrl + path, { headers: { authorization: headers.authorization ?? '' } });
      const body = (await real.json()) as Record<string, unknown>;
      const isOne = path.startsWith('/assistants/');
      response.writeHead(real.status, { 'content-type': 'application/json', etag: real.headers.get('etag') ?? '""' });
      response.end(JSON.stringify(isOne ? change(body) : body));
    };
    return { proxy, through: { ...user, baseUrl: new URL(proxy.url).origin } };
  }

  test('that is older gets no field that it would drop', async () => {
    const user = await createUser();
    await createAssistant(user, { name: 'Clinic' });
    const { proxy, through } = await startVersion(user, ({ timezone: _, ...others }) => others);
    const folder = createFolder();
    await succeed(through, folder, 'pull');
    edit(folder, 'clinic.yaml', 'name: Clinic', 'name: Surgery');
    expect(await succeed(through, folder, 'diff')).toContain('1 to update');
    edit(folder, 'clinic.yaml', 'name: Surgery', 'name: Surgery\ntimezone: Europe/Berlin');
    expect(await fail(through, folder, 'push')).toEqual([
      'The server does not know timezone of assistants/clinic.yaml: it is older than this program',
    ]);
    expect(proxy.requests.filter(({ body }) => body !== '')).toEqual([]);
    proxy.stop();
  });

  test('that is newer keeps the fields that the files leave out', async () => {
    const user = await createUser();
    await createAssistant(user, { name: 'Clinic' });
    const { proxy, through } = await startVersion(user, (assistant) => ({ ...assistant, shiny: 1 }));
    const folder = createFolder();
    expect(await runCli(through, folder, 'assistants', 'pull')).toMatchObject({
      code: 0,
      stderr: 'The server is newer than this program, which leaves out shiny: update it\n',
    });
    expect(await succeed(through, folder, 'diff')).toContain('1 unchanged');
    proxy.stop();
  });
});

describe('a mistake in a folder', () => {
  /** Creates a folder with two assistants that were pulled. */
  async function pullTwo() {
    const user = await createUser();
    for (const name of ['One', 'Two']) await createAssistant(user, { name });
    const folder = createFolder();
    await succeed(user, folder, 'pull');
    const [one, two] = ['one', 'two'].map((name) => readLock(folder).assistants[`${name}.yaml`].id as string);
    return { user, folder, one, two };
  }

  test('is told for all files at once, before anything is sent', async () => {
    const { user, folder, one, two } = await pullTwo();
    edit(folder, 'one.yaml', 'name: One', 'name: [One');
    edit(folder, 'two.yaml', 'name: Two', 'name: Two\ndescripton: x\nfirst_message: 5\ntools: [{type: http}]');
    writeNew(folder, 'new.yaml', 'name: New\nsystem_instruction: Hello {{ name\nvariables: {}\n');
    writeNew(folder, 'list.json', '[]');
    const mistakes = await fail(user, folder, 'push');
    expect(mistakes).toEqual([
      'assistants/list.json: it should hold the fields of one assistant',
      expect.stringMatching(/^assistants\/new\.yaml: system_instruction: The template cannot be read/),
      expect.stringMatching(/^assistants\/one\.yaml: .* at line \d+, column \d+$/),
      'assistants/two.yaml: unknown field descripton, did you mean description?',
      'assistants/two.yaml: first_message: Expected string but received 5',
      'assistants/two.yaml: tools.0.name: missing',
      'assistants/two.yaml: tools.0.description: missing',
      'assistants/two.yaml: tools.0.http: missing',
      'Nothing was changed',
    ]);
    expect((await user.get<Assistant[]>('/assistants')).body.map(({ id }) => id)).toEqual([two, one]);
  });

  test('of an id is told: edited, lost, copied, twice, or of another folder', async () => {
    const { user, folder, one = '', two = '' } = await pullTwo();
    const other = '01a20506-5a5e-7bd5-a1c7-0f6a4b1d2c3e';
    edit(folder, 'one.yaml', one, other);
    const putBack = `assistants/one.yaml should have the id ${one} but has ${other}: put it back, or rename the file`;
    expect(await fail(user, folder, 'push')).toEqual([putBack, 'Nothing was changed']);
    edit(folder, 'one.yaml', other, two);
    expect((await fail(user, folder, 'push'))[0]).toBe(
      `assistants/one.yaml and assistants/two.yaml have the same id ${two}: remove it from the copy`,
    );
    edit(folder, 'one.yaml', `id: ${two}\n`, '');
    expect((await fail(user, folder, 'diff'))[0]).toContain(`should have the id ${one} but has none`);
    edit(folder, 'one.yaml', 'name: One', `id: ${one}\nname: One`);
    writeNew(folder, 'three.yaml', `id: ${other}\nname: Three\nsystem_instruction: x\n`);
    expect((await fail(user, folder, 'push'))[0]).toBe(
      `assistants/three.yaml has an id that was not pulled, ${other}: run assistants pull, or remove it to create another`,
    );
    writeNew(folder, 'three.yaml', `id: ${one}\nname: Three\nsystem_instruction: x\n`);
    expect((await fail(user, folder, 'push'))[0]).toContain('have the same id');
  });

  test('that quotes would mend is told so', async () => {
    const user = await createUser();
    const folder = createFolder();
    writeNew(folder, 'a.yaml', 'name: A\nsystem_instruction: Open: from nine\n');
    writeNew(folder, 'b.yaml', 'name: B\nsystem_instruction: x\nfirst_message: {{ name }}\n');
    const [first, second] = await fail(user, folder, 'push');
    expect(first).toMatch(/^assistants\/a\.yaml: .* at line 2, column 21: if it is a text, put it in quotes$/);
    expect(second).toMatch(
      /^assistants\/b\.yaml: first_message: .*: if it is a text that begins with \{\{, put it in quotes$/,
    );
  });

  test('of the lock file is told', async () => {
    const { user, folder } = await pullTwo();
    const path = join(folder, 'assistants', 'assistants.lock.json');
    const lock = readFileSync(path, 'utf8');
    writeFileSync(path, lock.replace(user.baseUrl, 'https://api.example.com'));
    expect(await fail(user, folder, 'push')).toEqual([
      `assistants was pulled from https://api.example.com, and this is ${user.baseUrl}: use a folder for each`,
    ]);
    writeFileSync(path, lock.replace('"one.yaml"', '"../one.yaml"'));
    expect((await fail(user, folder, 'pull'))[0]).toContain('is damaged: restore it from git');
    writeFileSync(path, lock.slice(0, -20));
    expect((await fail(user, folder, 'push'))[0]).toContain('is damaged: restore it from git');
  });

  test('of the name of the folder is told', async () => {
    const user = await createUser();
    const folder = createFolder();
    for (const command of ['push', 'diff'])
      expect(await fail(user, folder, command, 'nowhere')).toEqual([
        'There is no assistant in nowhere: run assistants pull, or name another folder',
      ]);
    writeFileSync(join(folder, 'file'), '');
    expect(await fail(user, folder, 'push', 'file')).toEqual(['file is no folder']);
  });
});
