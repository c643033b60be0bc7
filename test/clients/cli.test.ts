import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { createToken, createUser } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';
import { type CliRun, createFolder, runCli, startCli } from '../support/cli.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { eventually } from '../support/timeouts.ts';
import { answerModel } from '../support/vendor.ts';

/** Runs the command line without a login. */
const runAlone = (args: string[], env: Record<string, string> = {}, cwd = createFolder()): Promise<CliRun> =>
  startCli(args, { cwd, env, input: '' }).ended;

const getLoginPath = (home: string) => join(home, '.config', 'voice-assistants', 'login.json');
const readLogin = (home: string) => JSON.parse(readFileSync(getLoginPath(home), 'utf8'));

const overview = execFileSync(process.execPath, ['clients/cli/main.ts', '--help'], { encoding: 'utf8' });
const names = [...overview.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name = '']) => name);

describe('the command line', () => {
  test('lists its commands', () => {
    expect(names).toEqual([
      ...['login', 'logout', 'assistants pull', 'assistants push', 'assistants diff', 'publish', 'live', 'chat'],
      ...['logs', 'logs tail', 'webhooks listen', 'import'],
    ]);
  });

  test.each(names)('explains %s with --help, and refuses unknown options', async (name) => {
    const help = await runAlone([...name.split(' '), '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`^Usage: voice-assistants ${name}.*\n[A-Z].*\n[\\s\\S]*--help`));
    const refused = await runAlone([...name.split(' '), '--nonsense']);
    const told = `voice-assistants: Unknown option '--nonsense': see voice-assistants ${name} --help\n`;
    expect(refused).toEqual({ code: 2, stdout: '', stderr: told });
  });

  test.each<[string[], string]>([
    [['nonsense'], 'There is no command nonsense: see voice-assistants --help'],
    [['assistants'], 'There is no command assistants: write assistants pull, assistants push, assistants diff'],
    [
      ['assistants', 'pul'],
      'There is no command assistants pul: write assistants pull, assistants push, assistants diff',
    ],
    [['publish'], 'An argument is missing: see voice-assistants publish --help'],
    [['logout', 'x'], 'Unexpected argument x: see voice-assistants logout --help'],
    [['logs', '--limit', 'many'], '--limit should be a number from 1 to 1000'],
    [
      ['live', 'x', '7=90', '8'],
      '8 is no version with its share of calls: write 7=90 8=10, one version as 7, or draft',
    ],
    [
      ['webhooks', 'listen', 'https://example.com/'],
      'https://example.com/ is no address of this machine: write it as in http://localhost:4001/hook',
    ],
    [
      ['webhooks', 'listen', 'http://localhost:1/', '--events', 'call.complete'],
      '--events call.complete is no type of event: write call.completed',
    ],
    [
      ['webhooks', 'listen', 'http://localhost:1/', '--events', 'call.nonsense'],
      '--events call.nonsense is no type of event: write call.*, call.completed, call.updated, call.deleted',
    ],
    [['chat', 'x', '--version', 'newest'], '--version newest should be draft, live or a number'],
    [['assistants', 'pull', '--format', 'xml'], '--format should be yaml or json'],
    [['chat', 'x', 'Hi', '--variable', 'a'], '--variable a should be NAME=VALUE'],
  ])('refuses %j with exit code 2', async (args, told) => {
    expect(await runAlone(args)).toEqual({ code: 2, stdout: '', stderr: `voice-assistants: ${told}\n` });
  });

  test('has the version of the API document', async () => {
    const { info } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    expect((await runAlone(['--version'])).stdout).toBe(`${info.version}\n`);
  });
});

describe('a connection that fails', () => {
  /** Runs a command against an address, and returns its one line on stderr. */
  async function tell(VA_URL: string, VA_TOKEN = 'va_wrong', args = ['logs']): Promise<string> {
    const { code, stdout, stderr } = await runAlone(args, { VA_URL, VA_TOKEN });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^voice-assistants: [^\n]+\n$/);
    return stderr.slice('voice-assistants: '.length, -1);
  }

  test('says so without a login', async () => {
    const { code, stderr } = await runAlone(['logs']);
    expect([code, stderr]).toEqual([
      1,
      'voice-assistants: Not logged in: run voice-assistants login, or set VA_URL and VA_TOKEN\n',
    ]);
  });

  test('says so within seconds if the server is gone', async () => {
    const gone = await startReceiver();
    gone.stop();
    const startedAt = performance.now();
    expect(await tell(new URL(gone.url).origin)).toBe(
      'No answer from the API (ECONNREFUSED): check its address, and that it runs',
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000 * inject('slowness'));
  });

  test('says so if the token has expired, or is none', async () => {
    const expired = await createToken('someone', -10);
    expect(await tell(inject('baseUrl'), expired)).toBe(
      'The token was refused. The token has expired: get a new one. Run voice-assistants login, or set VA_TOKEN',
    );
    expect(await tell(inject('baseUrl'), 'a\nb')).toContain('has a space or line break in it');
  });

  test('says so if the server is another, or of another version', async () => {
    const page = await startReceiver(answer(200, '<html>Hello</html>', { 'content-type': 'text/html' }));
    const url = new URL(page.url).origin;
    expect(await tell(url)).toBe(
      'No answer from the API (the answer is not one of the API): check its address, and that it runs',
    );
    page.script = answer(404, '<html>', { 'content-type': 'text/html' });
    expect(await tell(url)).toBe('Status 404 without an explanation: is this the address of the API?');
    page.script = answer(302, '', { location: 'https://example.com' });
    expect(await tell(url)).toBe(`${url} redirects: set baseUrl to the address of the API itself, with https`);
    const older = '{"detail":[{"loc":["path"],"msg":"No such path","type":"not_found"}]}';
    page.script = (response, request, number) =>
      (request.path === '/protected' ? answer(200, '{"data":{"user_id":"u","workspace":null}}') : answer(404, older))(
        response,
        request,
        number,
      );
    expect(await tell(url)).toBe(
      'The server does not know this request: it is of another version than this program, or its address is wrong',
    );
    page.stop();
  });

  test('refuses an address that is none', async () => {
    const wrong = {
      code: 2,
      stdout: '',
      stderr: 'voice-assistants: localhost:3000 is no address: write it as in http://127.0.0.1:3000\n',
    };
    expect(await runAlone(['logs'], { VA_URL: 'localhost:3000', VA_TOKEN: 'x' })).toEqual(wrong);
    expect(await runAlone(['login', 'localhost:3000'])).toEqual(wrong);
  });
});

describe('a login', () => {
  test('by an API key is checked, saved for the user only, and deleted', async () => {
    const user = await createUser();
    const worker = await createWorker(user, ['read']);
    const home = createFolder();
    const refused = await runAlone(['login', user.baseUrl, '--token', 'va_wrong'], {}, home);
    expect(refused.stderr).toContain('The token was refused');
    expect(() => statSync(getLoginPath(home))).toThrow('ENOENT');
    const login = startCli(['login', `${user.baseUrl}/`, '--token', '-'], { cwd: home, input: `${worker.token}\n` });
    expect(await login.ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`as ${user.sub}`) });
    expect(statSync(getLoginPath(home)).mode & 0o777).toBe(0o600);
    expect(readLogin(home)).toEqual({ url: user.baseUrl, token: worker.token });
    expect(await runAlone(['logs'], {}, home)).toMatchObject({ code: 0, stdout: 'No calls yet\n' });

    const other = await startReceiver();
    const elsewhere = await runAlone(['logs', '--url', new URL(other.url).origin], {}, home);
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no token for') });
    expect(other.requests).toEqual([]);
    other.stop();

    expect(await runAlone(['logout'], {}, home)).toMatchObject({ code: 0, stdout: 'Logged out\n' });
    expect((await runAlone(['logs'], {}, home)).stderr).toContain('Not logged in');
  });

  /** Starts a sign-in, and returns the address that it prints. */
  async function startSignIn(home: string) {
    const login = startCli(['login', inject('baseUrl'), '--port', '0', '--no-browser'], { cwd: home });
    const address = await eventually(() => {
      const [, found] = /Sign in with your browser: (\S+)/.exec(login.run.stderr) ?? [];
      if (!found) throw new Error(login.run.stderr);
      return new URL(found);
    });
    return { ...login, address, returnTo: new URL(address.searchParams.get('redirect_uri') ?? '') };
  }

  test('by the browser lasts, is renewed, and ends', async () => {
    const home = createFolder();
    const { address, ended } = await startSignIn(home);
    const name = `user-${Date.now()}`;
    const page = await fetch(address, { method: 'POST', body: new URLSearchParams({ name }) });
    expect(await page.text()).toContain('You are signed in');
    expect(await ended).toMatchObject({ code: 0, stdout: expect.stringContaining(`as ${name}`) });

    const login = readLogin(home);
    const spoil = (renewal: object) =>
      writeFileSync(
        getLoginPath(home),
        JSON.stringify({ ...login, token: 'old', renewal: { ...login.renewal, expiresAt: 0, ...renewal } }),
      );
    spoil({});
    expect(await runAlone(['logs'], {}, home)).toMatchObject({ code: 0, stderr: '' });
    expect(readLogin(home).renewal.expiresAt).toBeGreaterThan(Date.now());
    spoil({ refreshToken: 'revoked' });
    expect((await runAlone(['logs'], {}, home)).stderr).toBe(
      'voice-assistants: The login has expired: run voice-assistants login\n',
    );
    writeFileSync(getLoginPath(home), '{');
    expect((await runAlone(['logs'], {}, home)).stderr).toContain('is damaged: run voice-assistants login again');
  });

  test('takes no code that somebody else sends', async () => {
    const home = createFolder();
    const { returnTo, run, ended } = await startSignIn(home);
    const forged = await fetch(`${returnTo}?code=stolen&state=guessed`);
    expect(forged.status).toBe(404);
    const odd = await Promise.all(
      [`${returnTo.origin}//`, `${returnTo}?code=stolen&state=${'%C3%A9'.repeat(43)}`].map((url) => fetch(url)),
    );
    expect(odd.map(({ status }) => status)).toEqual([404, 404]);
    expect(run.code).toBeUndefined();
    const state = new URL(/Sign in with your browser: (\S+)/.exec(run.stderr)?.[1] ?? '').searchParams.get('state');
    await fetch(`${returnTo}?error=access_denied&state=${state}`);
    expect(await ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The sign-in was refused: access_denied'),
    });
  });
});

describe('an assistant', () => {
  test('is published, shared between versions, and rolled back', async () => {
    const user = await createUser();
    const { body } = await createAssistant(user, { name: 'Clinic' });
    const folder = createFolder();
    expect(await runCli(user, folder, 'live', 'Clinic')).toMatchObject({ code: 0, stdout: 'Calls get the draft\n' });
    expect((await runCli(user, folder, 'publish', 'Clinic', '--note', 'The first')).stdout).toBe('Version 1 is live\n');
    await user.put(`/assistants/${body.id}`, { name: 'Surgery' });
    expect((await runCli(user, folder, 'publish', body.id, '--not-live')).stdout).toBe(
      'Version 2 is made, and not live\n',
    );
    await runCli(user, folder, 'assistants', 'pull');
    const shares = 'version 2: 10 % of calls\nversion 1: 90 % of calls\n';
    expect((await runCli(user, folder, 'live', 'surgery', '1=90', '2=10')).stdout).toBe(shares);
    expect((await runCli(user, folder, 'live', 'assistants/surgery.yaml')).stdout).toBe(shares);
    expect((await runCli(user, folder, 'live', 'Surgery', '1')).stdout).toBe('version 1: 100 % of calls\n');
    expect(await runCli(user, folder, 'live', 'Surgery', '9')).toMatchObject({
      code: 1,
      stderr: 'voice-assistants: There is no version 9 of Surgery: the newest are 2, 1\n',
    });
    expect((await runCli(user, folder, 'live', 'Surgery', 'draft')).stdout).toBe('Calls get the draft\n');
    await createAssistant(user, { name: 'Surgery' });
    expect((await runCli(user, createFolder(), 'publish', 'Surgery')).stderr).toContain(
      '2 assistants have the name Surgery',
    );
    expect((await runCli(user, folder, 'publish', 'Nobody')).stderr).toContain('There is no assistant Nobody');
  });

  test('is published from its file only if that is pushed, and again only if something is new', async () => {
    const user = await createUser();
    const { body } = await createAssistant(user, { name: 'Clinic' });
    const folder = createFolder();
    await runCli(user, folder, 'assistants', 'pull');
    expect((await runCli(user, folder, 'publish', 'clinic')).stdout).toBe('Version 1 is live\n');
    expect(await runCli(user, folder, 'publish', 'clinic', '--note', 'The same')).toEqual({
      code: 0,
      stdout: 'Nothing is new since version 1, which is live\n',
      stderr: 'The note was not saved: a version keeps the note that it was made with\n',
    });
    const path = join(folder, 'assistants/clinic.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('name: Clinic', 'name: Surgery'));
    const edited = await runCli(user, folder, 'publish', 'clinic');
    expect([edited.code, edited.stderr]).toEqual([
      1,
      'voice-assistants: assistants/clinic.yaml has changes that are not pushed: run assistants push first, or publish the ' +
        `draft as it is by its id, ${body.id}\n`,
    ]);
    await runCli(user, folder, 'assistants', 'push');
    expect((await runCli(user, folder, 'publish', 'clinic')).stdout).toBe('Version 2 is live\n');
    await user.put(`/assistants/${body.id}`, { name: 'Practice' });
    expect((await runCli(user, folder, 'publish', 'clinic')).stderr).toContain('was changed on the server since');
    expect((await runCli(user, folder, 'publish', body.id)).stdout).toBe('Version 3 is live\n');
  });

  test('chats, and nothing that it says is obeyed by the terminal', async () => {
    const vendor = await startReceiver(answerModel({ text: 'Hello\u001b]0;owned\u0007 \u202eevil' }));
    const user = await createUser();
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    const llm = { base_url: `${new URL(vendor.url).origin}/v1` };
    await createAssistant(user, { name: 'Clinic', llm, first_message: null });
    await createAssistant(user, {
      name: 'Surgery',
      llm,
      first_message: 'Hello {{ name }}!',
      variables: { name: { default: 'you' } },
    });
    const folder = createFolder();
    const once = await runCli(user, folder, 'chat', 'Clinic', 'Hi', '--version', 'draft');
    expect(once).toEqual({ code: 0, stderr: '', stdout: 'Hello\\u{1b}]0;owned\\u{7} \\u{202e}evil\n' });
    const env = { VA_URL: user.baseUrl, VA_TOKEN: user.token };
    const { ended } = startCli(['chat', 'Clinic'], { cwd: folder, env, input: 'One\n\nTwo\n' });
    expect((await ended).stdout.split('\n')).toHaveLength(3);
    const { messages } = JSON.parse(vendor.requests.at(-1)?.body ?? '');
    expect(messages.map(({ role }: { role: string }) => role).slice(-3)).toEqual(['user', 'assistant', 'user']);
    const greeted = startCli(['chat', 'Surgery', '--variable', 'name=Ada', '--store'], {
      cwd: folder,
      env,
      input: 'One\nTwo\n',
    });
    expect((await greeted.ended).stdout).toMatch(/^Hello Ada!\nHello/);
    const asked = JSON.parse(vendor.requests.at(-1)?.body ?? '').messages.slice(1);
    expect(asked.map(({ role }: { role: string }) => role)).toEqual(['assistant', 'user', 'assistant', 'user']);
    expect(asked[0]).toEqual({ role: 'assistant', content: 'Hello Ada!' });
    const saved = JSON.parse((await runCli(user, folder, 'logs', '--json')).stdout);
    expect(saved).toMatchObject({ message_count: 5 });
    vendor.script = answer(401, '{"error":{"message":"Wrong key"}}');
    const failing = startCli(['chat', 'Clinic'], { cwd: folder, env, input: 'One\nTwo\n' });
    const told = await failing.ended;
    expect([told.code, told.stderr.match(/Wrong key/g)?.length]).toEqual([1, 2]);
    expect(await runCli(user, folder, 'chat', 'Clinic', 'Hi')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Wrong key'),
    });
    vendor.stop();
  });
});

describe('calls and events', () => {
  /** Saves a call in a room. */
  async function saveCall(user: Awaited<ReturnType<typeof createUser>>, assistant_id: string, room_name: string) {
    const transcript = [{ role: 'user', content: 'Hello' }];
    const { status } = await user.post('/logs/call-logs', {
      assistant_id,
      room_name,
      transcript,
      session_duration: 61.4,
    });
    expect(status).toBe(200);
  }

  test('are listed, and shown as they come', async () => {
    const user = await createUser();
    const { body } = await createAssistant(user);
    await saveCall(user, body.id, 'room\u001b[2J-1');
    const folder = createFolder();
    const { stdout } = await runCli(user, folder, 'logs', '--assistant', body.id);
    expect(stdout).toMatch(/^STARTED +LASTED +MESSAGES +ROOM +ID\n.*61 s +1 +room\\u\{1b\}\[2J-1 +[0-9a-f-]{36}\n$/);
    const json = await runCli(user, folder, 'logs', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ message_count: 1 });

    const env = { VA_URL: user.baseUrl, VA_TOKEN: user.token };
    const { run } = startCli(['logs', 'tail'], { cwd: folder, env });
    await eventually(() => expect(run.stderr).toContain('Waiting for calls'));
    await saveCall(user, body.id, 'room-2');
    await eventually(() => expect(run.stdout).toMatch(/^\S+ call\.completed room-2 61 s [0-9a-f-]{36}\n$/));
    const vendor = await startReceiver(answerModel({ text: 'Hello' }));
    await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-any' });
    await user.put(`/assistants/${body.id}`, { llm: { base_url: `${new URL(vendor.url).origin}/v1` } });
    await runCli(user, folder, 'chat', body.id, 'Not saved');
    await runCli(user, folder, 'chat', body.id, 'Saved', '--store');
    await eventually(() =>
      expect(run.stdout).toMatch(/ s [0-9a-f-]{36}\n\S+ completion\.done \d+ ms [0-9a-f-]{36}\n$/),
    );
    vendor.stop();
  });

  test('reach a server on this machine once, signed as a webhook signs', async () => {
    const user = await createUser();
    const reader = await createWorker(user, ['events']);
    const server = await startReceiver();
    await createAssistant(user, { name: 'Before' });
    const env = { VA_URL: user.baseUrl, VA_TOKEN: reader.token };
    const args = ['webhooks', 'listen', server.url.replace('127.0.0.1', 'localhost'), '--events', 'assistant.*'];
    const { run } = startCli(args, { cwd: createFolder(), env });
    await eventually(() => expect(run.stderr).toContain('Sending events to'));
    const [, secret = ''] = /Secret: (\S+)/.exec(run.stderr) ?? [];
    const { body: after } = await createAssistant(user, { name: 'After' });
    await saveCall(user, after.id, 'room');
    await user.put(`/assistants/${after.id}`, { name: 'Edited' });
    await eventually(() => expect(server.requests.length).toBeGreaterThan(1));
    const [created, updated, ...others] = server.requests;
    expect(others).toEqual([]);
    for (const { headers, body } of [created, updated].filter((one) => one !== undefined))
      expect(await verifyWebhook({ secret, headers, body })).toMatchObject({
        data: { id: after.id },
        user_id: user.sub,
      });
    expect([created?.event.type, updated?.event.type]).toEqual(['assistant.created', 'assistant.updated']);
    await eventually(() => expect(run.stdout).toContain('assistant.updated answered 200'));
    server.stop();
    await user.put(`/assistants/${after.id}`, { name: 'Again' });
    await eventually(() => expect(run.stdout).toContain('no answer: does your server run?'));
  });
});

describe('import', () => {
  test('creates the assistants of a file, and names what is lost', async () => {
    const user = await createUser();
    const file = join(process.cwd(), 'test/data/imports/vapi/13-health-tools.json');
    const { code, stdout, stderr } = await runCli(user, createFolder(), 'import', 'vapi', '--file', file);
    const { body: assistants } = await user.get<{ id: string }[]>('/assistants');
    expect([code, stderr, assistants.length]).toEqual([0, '', 1]);
    expect(stdout).toContain(`created ${assistants[0]?.id}`);
    expect(stdout).toMatch(/ {2}Lost:\n {4}\S/);
    const again = await runCli(user, createFolder(), 'import', 'vapi', '--file', file);
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining(`the assistant ${assistants[0]?.id} has this name already`),
    ]);
    const wrong = await runCli(user, createFolder(), 'import', 'vapi', '--file', 'none.json');
    expect([wrong.code, wrong.stderr]).toEqual([1, 'voice-assistants: Cannot read none.json: ENOENT\n']);
  });

  test('creates nothing with --dry-run, or with a refused token', async () => {
    const user = await createUser();
    const file = join(process.cwd(), 'test/data/imports/vapi/14-simple.json');
    const args = ['import', 'vapi', '--file', file];
    expect(await runCli(user, createFolder(), ...args, '--dry-run')).toMatchObject({ code: 0, stderr: '' });
    const refused = await runCli({ ...user, token: 'expired' }, createFolder(), ...args);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('Run voice-assistants login, or set VA_TOKEN'),
    ]);
    expect((await user.get<object[]>('/assistants')).body).toEqual([]);
  });
});
