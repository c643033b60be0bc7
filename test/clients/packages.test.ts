import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseWebhookSecret, sign } from '../../shared/domain/signature.ts';
import { type Client, createUser } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/timeouts.ts';
import { answerModel } from '../support/vendor.ts';

const run = promisify(execFile);
const npm = process.env.npm_execpath ?? '';

/** Project of a user, with both packages installed. */
const project = mkdtempSync(join(tmpdir(), 'voice-assistants-packages-'));
afterAll(() => rmSync(project, { recursive: true }));

/** Packs a folder, and returns the path of the archive. */
async function pack(folder: string): Promise<string> {
  const args = [npm, 'pack', '--json', '--loglevel=error', '--pack-destination', project];
  const { stdout } = await run(process.execPath, args, { cwd: folder });
  const [packed] = Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]/m)))) as {
    filename: string;
    files: { path: string }[];
  }[];
  return join(project, packed?.filename ?? '');
}

beforeAll(async () => {
  // The dependency comes from this checkout, so that no registry is needed.
  const archives = await Promise.all(
    ['clients/typescript', 'clients/cli', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'].map(
      pack,
    ),
  );
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  const args = [npm, 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', ...archives];
  await run(process.execPath, args, { cwd: project });
});

const toEnv = ({ baseUrl, token }: Client) => ({ ...process.env, HOME: project, VA_URL: baseUrl, VA_TOKEN: token });

/** Copies an example into the project, and runs it. */
async function runExample(name: string, user: Client, ...args: string[]) {
  cpSync(resolve('clients/typescript/examples', name), join(project, name));
  return run(process.execPath, [name, ...args], { cwd: project, env: toEnv(user) });
}

/** Returns the code blocks of a page in one language. */
const readBlocks = (page: string, language: string) =>
  [...readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );

/** Compiles programs with `--strict`. Returns what the compiler prints. */
async function compile(programs: Record<string, string>): Promise<string> {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(project, name), program);
  const options = [
    ...['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--strict', '--noEmit'],
    ...['--typeRoots', resolve('node_modules/@types'), '--types', 'node'],
  ];
  const args = [...options, ...Object.keys(programs)];
  const { stdout } = await run(resolve('node_modules/.bin/tsc'), args, { cwd: project }).catch((error) => error);
  return stdout;
}

describe('the packed client', () => {
  test('has the program, its types, a README and the licences, and nothing else', () => {
    const root = join(project, 'node_modules/voice-assistants-client');
    expect(readdirSync(root).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    expect(readdirSync(join(root, 'dist')).toSorted()).toEqual(['LICENCES.txt', 'index.js', 'types']);
    expect(readFileSync(join(root, 'dist/LICENCES.txt'), 'utf8')).toContain('eventsource-parser');
  });

  test('runs the examples', async () => {
    const user = await createUser();
    expect(readdirSync('clients/typescript/examples').toSorted()).toEqual([
      'chat.mjs',
      'create-assistant.mjs',
      'webhook.mjs',
    ]);
    const created = await runExample('create-assistant.mjs', user);
    expect(created.stdout).toMatch(/^Version 1 is live\n[0-9a-f-]{36} Receptionist\n$/);
    const vendor = await startReceiver(answerModel({ text: 'At nine.' }));
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    const { body } = await createAssistant(user, { llm: { base_url: `${new URL(vendor.url).origin}/v1` } });
    expect((await runExample('chat.mjs', user, body.id)).stdout).toBe('At nine.\n');
    vendor.script = answer(401, '{"error":{"message":"Wrong key"}}');
    await expect(runExample('chat.mjs', user, body.id)).rejects.toMatchObject({
      stderr: expect.stringMatching(/^424: .*Wrong key/),
    });
    vendor.stop();
  });

  test('receives webhooks by the example', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    cpSync('clients/typescript/examples/webhook.mjs', join(project, 'webhook.mjs'));
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' };
    const child = execFile(process.execPath, ['webhook.mjs'], { cwd: project, env });
    let stdout = '';
    child.stdout?.on('data', (text) => {
      stdout += text;
    });
    const url = await eventually(() => {
      expect(stdout).toContain('http');
      return stdout.trim();
    });
    const body = JSON.stringify({ type: 'call.completed', data: { id: 'c1' } });
    const send = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', headers, body })).status;
    expect(await send({})).toBe(401);
    expect(await send(sign([{ key: parseWebhookSecret(secret).key }], 'e1', Date.now(), body))).toBe(204);
    await eventually(() => expect(stdout).toContain('call.completed c1'));
    child.kill();
  });

  test.each(['clients/typescript/README.md', 'docs/clients.md'])('runs the programs of %s', async (page) => {
    const user = await createUser();
    const programs = readBlocks(page, 'js');
    expect(programs.length).toBeGreaterThan(0);
    await createAssistant(user);
    for (const program of programs) {
      writeFileSync(join(project, 'program.mjs'), program);
      const { stderr } = await run(process.execPath, ['program.mjs'], { cwd: project, env: toEnv(user) });
      expect(stderr).toBe('');
    }
  });

  test('has programs in its documentation and examples that TypeScript compiles with --strict', async () => {
    const folder = 'clients/typescript/examples';
    const programs = [
      ...['clients/typescript/README.md', 'docs/clients.md'].flatMap((page) => readBlocks(page, 'js')),
      ...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')),
    ];
    const files = Object.fromEntries(programs.map((program, i) => [`program-${i}.ts`, program]));
    expect(await compile(files)).toBe('');
  });

  test('is typed: a misspelt path, parameter or field does not compile', async () => {
    const program = `
      import { createClient } from 'voice-assistants-client';
      const client = createClient({ baseUrl: 'https://api.example.com', token: 'x' });
      const { data } = await client.GET('/assistants/{assistant_id}', { params: { path: { assistant_id: 'x' } } });
      const name: string = data.name;
      for await (const call of client.list('/logs/chat-sessions', { query: { limit: 10 } })) console.log(call.room_name, name);
      // @ts-expect-error
      await client.GET('/assistant');
      // @ts-expect-error
      await client.GET('/assistants/{assistant_id}');
      // @ts-expect-error
      await client.POST('/assistants', { body: { nmae: 'x' } });
      // @ts-expect-error
      console.log(data.nmae);
      // @ts-expect-error
      client.list('/webhooks');
    `;
    expect(await compile({ 'typed.ts': program })).toBe('');
  });
});

describe('the packed command line', () => {
  const program = join(project, 'node_modules/.bin/voice-assistants');

  test('is one program without dependencies', () => {
    const root = join(project, 'node_modules/voice-assistants');
    expect(readdirSync(root).toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
    expect(existsSync(join(project, 'node_modules/yaml'))).toBe(false);
    expect(readFileSync(join(root, 'dist/LICENCES.txt'), 'utf8')).toContain('yaml');
  });

  test('pulls, pushes and says its version', async () => {
    const user = await createUser();
    await createAssistant(user, { name: 'Clinic' });
    const options = { cwd: project, env: toEnv(user) };
    expect((await run(program, ['--version'], options)).stdout).toBe(
      `${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`,
    );
    expect((await run(program, ['assistants', 'pull'], options)).stdout).toContain('1 assistant: 1 written');
    const path = join(project, 'assistants/clinic.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('name: Clinic', 'name: Surgery'));
    expect((await run(program, ['assistants', 'push'], options)).stdout).toContain('1 assistant: 0 created, 1 updated');
  });

  test.each(['clients/cli/README.md', 'docs/cli.md'])('has commands in %s that exist', (page) => {
    const named = [
      ...readFileSync(page, 'utf8').matchAll(/^(?:npm run -s va -- |voice-assistants )([a-z]+(?: [a-z]+)?)/gm),
    ].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(3);
    const known =
      /^(login|logout|assistants (?:pull|push|diff)|publish|live|chat|logs|logs tail|webhooks listen|import)\b/;
    expect(named.filter((name) => !known.test(name))).toEqual([]);
  });
});

describe('the workflow of docs/ci.md', () => {
  interface Workflow {
    jobs: Record<string, { steps: { run?: string; with?: { ref?: string } }[] }>;
  }
  const [, workflow = ''] = /^```yaml\n([\s\S]*?)^```/m.exec(readFileSync('docs/ci.md', 'utf8')) ?? [];
  const { jobs }: Workflow = parse(workflow);

  /** Runs the steps of a job in a folder, except the installation. */
  async function runJob(job: string, cwd: string, user: Client) {
    const steps = jobs[job]?.steps.flatMap(({ run: script }) =>
      script && !script.startsWith('npm install') ? [script] : [],
    );
    const PATH = `${join(project, 'node_modules/.bin')}:${process.env.PATH}`;
    const env = { ...toEnv(user), PATH, GITHUB_STEP_SUMMARY: join(project, 'summary.md'), RUNNER_TEMP: project };
    for (const script of steps ?? []) await run('bash', ['-eo', 'pipefail', '-c', script], { cwd, env });
  }

  test('shows what a pull request would change, pushes it from main, and commits the lock file', async () => {
    const user = await createUser();
    await createAssistant(user, { name: 'Clinic' });
    const [remote, clone] = [join(project, 'remote.git'), join(project, 'clone')];
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
    await run('git', ['clone', '--quiet', remote, clone]);
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args], { cwd: clone });
    await git('checkout', '--quiet', '-B', 'main');
    await run(join(project, 'node_modules/.bin/voice-assistants'), ['assistants', 'pull'], {
      cwd: clone,
      env: toEnv(user),
    });
    writeFileSync(join(clone, 'assistants/night.yaml'), 'name: Night line\nsystem_instruction: Be brief.\n');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'feat: add the night line');
    await git('push', '--quiet', '-u', 'origin', 'main');

    await runJob('diff', clone, user);
    const summary = readFileSync(join(project, 'summary.md'), 'utf8');
    expect(summary).toMatch(/^````diff\n[\s\S]*\n````\n$/);
    expect(summary).toContain('+name: Night line');

    // Another pull request is merged while the job runs.
    const other = join(project, 'other');
    await run('git', ['clone', '--quiet', remote, other]);
    const ann = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
    await run('git', [...ann, 'commit', '--quiet', '--allow-empty', '-m', 'docs: merge in between'], { cwd: other });
    await run('git', ['push', '--quiet'], { cwd: other });
    expect(jobs.push?.steps[0]?.with?.ref).toBe('main');
    await runJob('push', clone, user);
    const { stdout } = await git('log', '--format=%s', 'origin/main');
    expect(stdout).toBe('chore: record what was pushed\ndocs: merge in between\nfeat: add the night line\n');
    expect((await git('show', 'origin/main:assistants/night.yaml')).stdout).toMatch(/^id: /);
    const { body } = await user.get<{ id: string; name: string }[]>('/assistants');
    expect(body.map(({ name }) => name)).toEqual(['Night line', 'Clinic']);
    await runJob('push', clone, user);
    expect((await git('status', '--porcelain')).stdout).toBe('');

    // Somebody changes an assistant elsewhere, which the pull request changes as well.
    const [night] = body;
    await user.put(`/assistants/${night?.id}`, { description: 'Changed elsewhere' });
    writeFileSync(
      join(clone, 'assistants/night.yaml'),
      `id: ${night?.id}\nname: Night\nsystem_instruction: Be brief.\n`,
    );
    await expect(runJob('diff', clone, user)).rejects.toMatchObject({ code: 1 });
    expect(readFileSync(join(project, 'summary.md'), 'utf8')).toMatch(
      /assistants\/night\.yaml was changed on the server since it was pulled: [^`]*\n````\n$/,
    );
  });
});
