import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import agent, { type CallLog, type Configuration, callLog, type Role, vendors } from '../../docs/workers/worker.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer.ts';
import { type Host, startHost } from '../../infra/local/host.ts';
import { catalogue } from '../../shared/openapi/vendors.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import type { Session } from '../../shared/schemas/session.ts';
import { type Client, clientWith } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { type FaultyProxy, faultyProxy } from '../support/faulty-proxy.ts';

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-workers-'));
let host: Host;
let user: Client;
let key: string;

const newKey = async (...scopes: string[]) => {
  const { body } = await user.post<{ data: { secret: string } }>('/api-keys', { name: 'Worker', scopes });
  return body.data.secret;
};

beforeAll(async () => {
  host = await startHost({ dir, port: 0 });
  const token = await (await LocalIssuer.open(dir)).token({ sub: `user-${randomUUID()}`, ttl: 3600 });
  user = clientWith('', token, host.url);
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-the-key-of-the-model' });
  await user.post('/user-credentials', { service_type: 'cartesia', api_key: 'sk-the-key-of-the-voice' });
  key = await newKey('runtime', 'logs');
});
afterAll(async () => {
  await host.stop();
  rmSync(dir, { recursive: true });
});

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const why = hasPython ? '' : ' (not in Python: there is no python3 of 3.10 or later here)';
const languages = {
  Python: ['python3', 'test/workers/steps.py'],
  TypeScript: [process.execPath, 'test/workers/steps.ts'],
};
type Language = keyof typeof languages;

type Step = [name: 'load' | 'choose' | 'credential' | 'build' | 'log' | 'save' | 'send waiting', argument: unknown];
interface Taken {
  gave?: unknown;
  refused?: number;
  unavailable?: true;
  failed?: string;
}

/** A worker with a folder of its own. Each time that it takes steps it is a process newly started. */
function newWorker(language: Language, settings: { url?: string; key?: string; env?: Record<string, string> } = {}) {
  const folder = join(dir, `worker-${randomUUID()}`);
  const [program = '', script = ''] = languages[language];
  const said: string[] = [];
  const take = async (...steps: Step[]): Promise<Taken[]> => {
    const env = {
      ...process.env,
      VOICE_ASSISTANTS_URL: settings.url ?? host.url,
      VOICE_ASSISTANTS_KEY: settings.key ?? key,
      VOICE_ASSISTANTS_FOLDER: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      ...settings.env,
    };
    const { stdout, stderr } = await run(program, [script, JSON.stringify(steps)], { env });
    said.push(stderr);
    return JSON.parse(stdout);
  };
  const calls = () => (existsSync(join(folder, 'calls')) ? readdirSync(join(folder, 'calls')) : []);
  const copyOf = (assistantId: string) => join(folder, 'configurations', `${assistantId}.json`);
  return { folder, settings, take, said, calls, copyOf };
}

/** Lets a lease run out: as if the worker had asked long ago. */
function expire(copy: string): void {
  writeFileSync(copy, JSON.stringify({ ...JSON.parse(readFileSync(copy, 'utf8')), until: 0 }));
}

const newAssistant = async (fields: object = {}) =>
  (await user.post<Assistant>('/assistants', { ...minimal, ...fields })).body.id;

/** A call in the words of LiveKit, in a room of its own. */
const callOf = (assistantId: string): CallLog =>
  callLog(assistantId, `room-${randomUUID()}`, new Date(), [
    { id: 'item_1', type: 'message', role: 'assistant', content: ['Hello!'], interrupted: false, created_at: 1.79e9 },
    {
      id: 'item_2',
      type: 'message',
      role: 'user',
      content: ['Grüß Gott 🙂'],
      interrupted: false,
      created_at: 1.79e9 + 2,
    },
  ]);

async function sessionsIn(room: string): Promise<Session[]> {
  const { body } = await user.get<{ data: { sessions: Session[] } }>(`/logs/chat-sessions?room_name=${room}`);
  return body.data.sessions;
}

/** How the API answered the workers' reads, in order, as its access log tells. */
const answers = () =>
  readFileSync(join(dir, 'logs/access.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ resource }) => resource.endsWith('/runtime-config'))
    .map(({ status }) => status);

it('what the worker reads is what the API answers, as the types say', () => {
  expectTypeOf<RuntimeConfig>().toExtend<Configuration>();
});

it.skipIf(!hasPython)(`the Python files are such of Python 3.10${why}`, async () => {
  const files = readdirSync('docs/workers').filter((name) => name.endsWith('.py'));
  expect(files).toHaveLength(3);
  const parse = 'import ast, sys; [ast.parse(open(f).read(), f, feature_version=(3, 10)) for f in sys.argv[1:]]';
  await run('python3', ['-c', parse, ...files.map((name) => join('docs/workers', name))]);
});

it.skipIf(!hasPython)(`the lines for an agent that exists are Python, and import what there is${why}`, async () => {
  const snippet = /```python\n(from voice_assistants .*?)```/s.exec(readFileSync('docs/workers.md', 'utf8'))?.[1];
  const imports = /^from.*$/m.exec(snippet ?? '')?.[0];
  const check = 'import ast, sys; sys.path.insert(0, "docs/workers"); ast.parse(sys.argv[1]); exec(sys.argv[2])';
  await run('python3', ['-B', '-c', check, snippet ?? '', imports ?? 'no import']);
});

/** The names in the table of vendors of a worker in Python, which needs packages that are not here. */
async function vendorsIn(file: string): Promise<Record<Role, string[]>> {
  const { stdout } = await run('python3', [
    '-c',
    `import ast, json, sys
table = next(node.value for node in ast.parse(open(sys.argv[1]).read()).body
             if isinstance(node, ast.Assign) and node.targets[0].id == "vendors")
print(json.dumps({role.value: [name.value for name in of.keys] for role, of in zip(table.keys, table.values)}))`,
    join('docs/workers', file),
  ]);
  return JSON.parse(stdout);
}

/** The vendors that the console offers and a worker does not support. */
function unsupported(table: Record<Role, string[]>): string[] {
  const uses = { transcriber: 'stt', llm: 'llm', voice: 'tts' } as const;
  return Object.entries(uses).flatMap(([role, use]) =>
    Object.keys(catalogue[use])
      .filter((vendor) => !table[role as Role].includes(vendor))
      .map((vendor) => `${role}: ${vendor}`),
  );
}

it.skipIf(!hasPython)(
  `the workers in Python support every vendor that the console offers, except AWS${why}`,
  async () => {
    for (const file of ['livekit_worker.py', 'pipecat_worker.py']) {
      expect(unsupported(await vendorsIn(file)), file).toEqual(['llm: aws', 'voice: aws']);
    }
  },
);

it('the worker on Node is an agent to the job processes of LiveKit', () => {
  // What its `isAgent` looks for. Without it every call fails by a "missing or invalid default export".
  expect(Symbol.for('livekit.agents.AgentDefinition') in agent).toBe(true);
});

it('the worker on Node supports every vendor that the console offers and LiveKit has there for an API key', () => {
  const { transcriber, llm, voice } = vendors;
  const table = { transcriber: Object.keys(transcriber), llm: Object.keys(llm), voice: Object.keys(voice) };
  expect(unsupported(table)).toEqual([
    'transcriber: google',
    'transcriber: speechmatics',
    'llm: aws',
    'voice: google',
    'voice: aws',
  ]);
});

describe.each(Object.keys(languages) as Language[])('a worker in %s', (language) => {
  const skipped = language === 'Python' && !hasPython;
  const reason = skipped ? why : '';
  let worker: ReturnType<typeof newWorker>;
  let assistantId: string;
  beforeEach(async () => {
    worker = newWorker(language);
    assistantId = await newAssistant();
  });

  it.skipIf(skipped)(`loads what a call needs, and asks again when the lease has run out${reason}`, async () => {
    const before = answers().length;
    const asked = () => expect.poll(() => answers().slice(before));
    const credential = (role: Role): Step => ['credential', { assistant_id: assistantId, role }];

    const [first, ...credentials] = await worker.take(
      ['load', assistantId],
      credential('llm'),
      credential('voice'),
      credential('transcriber'),
    );
    expect(first?.gave).toMatchObject({ assistant: minimal, expires_at: expect.any(String) });
    expect(credentials).toEqual([
      { gave: { service_type: 'openai', name: 'default', api_key: 'sk-the-key-of-the-model' } },
      { gave: { service_type: 'cartesia', name: 'default', api_key: 'sk-the-key-of-the-voice' } },
      { failed: expect.stringContaining('transcriber: You have no such credential of this service') },
    ]);
    const copy = worker.copyOf(assistantId);
    expect([copy, join(copy, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);

    expect(await worker.take(['load', assistantId])).toEqual([first]); // within the lease nobody is asked
    expire(copy);
    expect(await worker.take(['load', assistantId], ['load', assistantId])).toEqual([first, first]);
    await asked().toEqual(['200', '304']);

    await user.put(`/assistants/${assistantId}`, { name: 'Desk' });
    expire(copy);
    const [changed] = await worker.take(['load', assistantId]);
    expect(changed?.gave).toMatchObject({ assistant: { name: 'Desk' } });
    await asked().toEqual(['200', '304', '200']);
  });

  it.skipIf(skipped)(
    `chooses the assistant by the dispatch, the dialled number and ASSISTANT_ID, in that order${reason}`,
    async () => {
      const asked: Step[] = [
        ['choose', ['{"assistant_id": "dispatched"}', '+4930123']],
        ['choose', ['{"tenant": 7}', '+4930123']],
        ['choose', ['not JSON', '+4930999']],
      ];
      const numbers = { ASSISTANTS_BY_NUMBER: '{"+4930123": "by number"}' };
      worker.settings.env = { ...numbers, ASSISTANT_ID: 'the only one' };
      expect(await worker.take(...asked)).toEqual([
        { gave: 'dispatched' },
        { gave: 'by number' },
        { gave: 'the only one' },
      ]);
      worker.settings.env = { ...numbers, ASSISTANT_ID: '' };
      const [, , none] = await worker.take(...asked);
      expect(none?.failed).toMatch(
        /^No assistant for this call \(dialled number: \+4930999\)\. .*ASSISTANTS_BY_NUMBER/,
      );
    },
  );

  it.skipIf(skipped)(`passes the settings of a vendor on, but not where its key is sent${reason}`, async () => {
    await user.post('/user-credentials', { service_type: 'elevenlabs', api_key: 'sk-eleven' });
    const speaking = { voice_id: 'anna', speed: 1.1, base_url: 'https://elsewhere.example', api_key: 'sk-other' };
    const [plain, grouped] = await Promise.all([
      newAssistant({ voice: speaking }),
      newAssistant({ voice: { ...speaking, tts_provider: '11labs', tts_model: 'eleven_v3' } }),
    ]);
    const built = await worker.take(
      ['build', { assistant_id: plain, role: 'voice' }],
      ['build', { assistant_id: grouped, role: 'voice' }],
    );
    const key = language === 'Python' ? 'api_key' : 'apiKey';
    const [id, manner] = language === 'Python' ? ['voice_id', 'voice_settings'] : ['voiceId', 'voiceSettings'];
    expect(built).toMatchObject([
      { gave: { [key]: 'sk-the-key-of-the-voice', voice: 'anna', language: 'en', speed: 1.1 } },
      {
        gave: {
          [key]: 'sk-eleven',
          [id as string]: 'anna',
          model: 'eleven_v3',
          [manner as string]: { speed: 1.1, stability: 0.5 },
        },
      },
    ]);
    expect(JSON.stringify(built)).not.toMatch(/elsewhere|sk-other|default/);
  });

  it.skipIf(skipped)(`names a vendor that it does not support, and those that it does${reason}`, async () => {
    await user.post('/user-credentials', { service_type: 'polly', api_key: 'sk-polly' });
    const id = await newAssistant({ voice: { tts_provider: 'polly' } });
    const [built] = await worker.take(['build', { assistant_id: id, role: 'voice' }]);
    expect(built?.failed).toMatch(
      /^This worker does not support "polly" as voice\. It supports cartesia, .*elevenlabs/,
    );
  });

  it.skipIf(skipped)(`measures a call until it ended, not until it is saved${reason}`, async () => {
    const [log] = await worker.take(['log', ['2026-11-21T13:36:02+00:00', '2026-11-21T13:37:16.250+00:00']]);
    expect(log?.gave).toMatchObject({ session_duration: 74.25, ended_at: expect.stringContaining('13:37:16.25') });
  });

  it.skipIf(skipped)(`saves a call once, however often it is sent${reason}`, async () => {
    const log = callOf(assistantId);
    const [first, again] = await worker.take(['save', log], ['save', log]);
    expect(first?.gave).toMatchObject({ room_name: log.room_name, message_count: 2, preview: expect.any(String) });
    expect(again).toEqual(first);
    expect(await sessionsIn(log.room_name)).toHaveLength(1);
    expect(worker.calls()).toEqual([]);
  });

  it.skipIf(skipped)(`tries again after a fault, also one that hides a success${reason}`, async () => {
    const proxy: FaultyProxy = await faultyProxy(host.url);
    const faults = ['fail', 'lose'] as const;
    proxy.decide = () => faults[proxy.seen.length - 1] ?? 'pass';
    const log = callOf(assistantId);
    const [saved] = await newWorker(language, { url: proxy.url }).take(['save', log]);
    proxy.stop();
    expect(proxy.seen).toEqual(['POST', 'POST', 'POST']);
    const sessions = await sessionsIn(log.room_name);
    expect(sessions).toHaveLength(1);
    expect(saved?.gave).toMatchObject({ ...sessions[0] });
  });

  it.skipIf(skipped)(`takes a refusal for an answer${reason}`, async () => {
    await worker.take(['load', assistantId]);
    expire(worker.copyOf(assistantId));
    worker.settings.key = await newKey('logs'); // it may save, but not load
    const [log, hopeless] = [callOf(assistantId), callOf(randomUUID())];
    const [loaded, refused] = await worker.take(['load', assistantId], ['save', hopeless]);
    expect([loaded, refused]).toEqual([{ refused: 403 }, { gave: null }]);
    expect(existsSync(worker.copyOf(assistantId))).toBe(false);
    expect(worker.calls()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.refused$/)]);

    worker.settings.key = 'va_dev_none';
    expect(await worker.take(['save', log])).toEqual([{ gave: null }]);
    expect(worker.calls()).toContainEqual(expect.stringMatching(/\.json$/));
    worker.settings.key = key;
    await worker.take(['send waiting', null]);
    expect(worker.calls()).toEqual([expect.stringMatching(/\.refused$/)]);
    expect(await sessionsIn(log.room_name)).toHaveLength(1);
  });
});

it.skipIf(!hasPython)(`a worker in Python says which settings its vendor does not take${why}`, async () => {
  const worker = newWorker('Python');
  await user.post('/user-credentials', { service_type: 'deepgram', api_key: 'sk-deepgram' });
  const [nova, flux] = await Promise.all([
    newAssistant({ transcriber: { stt_provider: 'deepgram', keyterm: 'Zahn' } }),
    newAssistant({ transcriber: { stt_provider: 'deepgram', stt_model: 'flux-general-en' } }),
  ]);
  expect(
    await worker.take(
      ['build', { assistant_id: nova, role: 'transcriber' }],
      ['build', { assistant_id: flux, role: 'transcriber' }],
    ),
  ).toEqual([{ gave: { api_key: 'sk-deepgram', models: ['nova-3'] } }, { gave: { token: 'sk-deepgram' } }]);
  expect(worker.said).toEqual(["Ignored transcriber.keyterm: this worker's vendor takes no such setting\n"]);
});

it(`while the API is stopped, calls are taken and kept; when it is back, each arrives once${why}`, async () => {
  const tested = (Object.keys(languages) as Language[]).filter((language) => language !== 'Python' || hasPython);
  const workers = await Promise.all(
    tested.map(async (language) => {
      const [worker, assistantId] = [newWorker(language), await newAssistant()];
      const [loaded] = await worker.take(['load', assistantId]);
      expire(worker.copyOf(assistantId));
      return { ...worker, assistantId, loaded, log: callOf(assistantId) };
    }),
  );
  const { port } = new URL(host.url);
  await host.stop();
  await Promise.all(
    workers.map(async ({ take, calls, assistantId, loaded, log }) => {
      expect(await take(['load', assistantId], ['save', log])).toEqual([loaded, { gave: null }]);
      expect(calls()).toHaveLength(1);
    }),
  );
  host = await startHost({ dir, port: Number(port) });
  for (const { take, calls, log } of workers) {
    await take(['send waiting', null], ['send waiting', null]);
    expect(calls()).toEqual([]);
    expect(await sessionsIn(log.room_name)).toHaveLength(1);
  }
});
