import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import agent, { type CallLog, type Configuration, callLog, type Role, vendors } from '../../docs/workers/worker.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { type Host, startHost } from '../../infra/local/host.ts';
import { catalogue } from '../../shared/openapi/vendors.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { RuntimeConfig } from '../../shared/schemas/runtime-config.ts';
import type { Session } from '../../shared/schemas/session.ts';
import { toUserKey, toVersionKey } from '../../shared/store/table/keys.ts';
import { type Client, createClient } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { createDeployment } from '../support/recovery.ts';

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-workers-'));
let host: Host;
let user: Client;
let key: string;

const createKey = async (...scopes: string[]) => {
  const { body } = await user.post<{ data: { secret: string } }>('/api-keys', { name: 'Worker', scopes });
  return body.data.secret;
};

beforeAll(async () => {
  host = await startHost({ dir, port: 0 });
  const sub = `user-${randomUUID()}`;
  const token = await (await LocalIssuer.open(dir)).token({ sub, ttl: 3600 });
  user = createClient(sub, token, host.url);
  await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-the-key-of-the-model' });
  await user.post('/user-credentials', { service_type: 'cartesia', api_key: 'sk-the-key-of-the-voice' });
  key = await createKey('runtime', 'logs');
});
afterAll(async () => {
  await host.stop();
  rmSync(dir, { recursive: true });
});

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const skipReason = hasPython ? '' : ' (skipped for Python: needs python3 3.10 or later)';
const languages = {
  Python: ['python3', 'test/workers/steps.py'],
  TypeScript: [process.execPath, 'test/workers/steps.ts'],
};
type Language = keyof typeof languages;

type StepName =
  | 'load'
  | 'write older copy'
  | 'start'
  | 'choose'
  | 'variables'
  | 'version'
  | 'credential'
  | 'build'
  | 'log'
  | 'call tool'
  | 'save'
  | 'send waiting';
type Step = [name: StepName, argument: unknown];
interface StepResult {
  returned?: unknown;
  refused?: number;
  unavailable?: true;
  failed?: string;
}

/** Creates a worker with its own folder. Each `runSteps` starts a new process. */
function createWorker(language: Language, settings: { url?: string; key?: string; env?: Record<string, string> } = {}) {
  const folder = join(dir, `worker-${randomUUID()}`);
  const [program = '', script = ''] = languages[language];
  const stderr: string[] = [];
  const runSteps = async (...steps: Step[]): Promise<StepResult[]> => {
    const env = {
      ...process.env,
      VOICE_ASSISTANTS_URL: settings.url ?? host.url,
      VOICE_ASSISTANTS_KEY: settings.key ?? key,
      VOICE_ASSISTANTS_FOLDER: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      ...settings.env,
    };
    const output = await run(program, [script, JSON.stringify(steps)], { env });
    stderr.push(output.stderr);
    return JSON.parse(output.stdout);
  };
  const listCalls = () => (existsSync(join(folder, 'calls')) ? readdirSync(join(folder, 'calls')) : []);
  const getCopyPath = (assistantId: string) => join(folder, 'configurations', `${assistantId}.json`);
  return { folder, settings, runSteps, stderr, listCalls, getCopyPath };
}

/** Ends the lease of a cached configuration. */
function expire(copy: string): void {
  writeFileSync(copy, JSON.stringify({ ...JSON.parse(readFileSync(copy, 'utf8')), until: 0 }));
}

const createAssistant = async (fields: object = {}) =>
  (await user.post<Assistant>('/assistants', { ...minimal, ...fields })).body.id;

/** Deletes the row of a version, which the service never does while it is live. */
async function deleteVersion(assistantId: string, version: number): Promise<void> {
  const [table] = host.assembly.listResources('AWS::DynamoDB::GlobalTable');
  const { dynamoDb } = createDeployment({ dynamoDb: host.endpoints.AWS_ENDPOINT_URL_DYNAMODB ?? '' });
  const key = toVersionKey(toUserKey(host.issuer.url, user.sub), assistantId, version);
  const Key = { pk: { S: key.pk }, sk: { S: key.sk } };
  await dynamoDb.send(new DeleteItemCommand({ TableName: `${table?.stack}-${table?.id}`, Key }));
}

/** Builds the log of a new call, with a transcript in LiveKit's format. */
const buildCallLog = (assistantId: string): CallLog =>
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

async function listSessions(room: string): Promise<Session[]> {
  const { body } = await user.get<{ data: { sessions: Session[] } }>(`/logs/chat-sessions?room_name=${room}`);
  return body.data.sessions;
}

/** Reads the statuses of all runtime-config requests from the access log, in order. */
const readStatuses = () =>
  readFileSync(join(dir, 'logs/access.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ resource }) => resource.endsWith('/runtime-config'))
    .map(({ status }) => status);

it('the worker types match the runtime configuration of the API', () => {
  expectTypeOf<RuntimeConfig>().toExtend<Configuration>();
});

it.skipIf(!hasPython)(`the Python files run on Python 3.10${skipReason}`, async () => {
  const files = ['docs/workers', 'clients/python/voice_assistants', 'clients/python/examples'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.py') ? [join(folder, name)] : [])),
  );
  expect(files.length).toBeGreaterThan(8);
  const parse = 'import ast, sys; [ast.parse(open(f).read(), f, feature_version=(3, 10)) for f in sys.argv[1:]]';
  await run('python3', ['-c', parse, ...files]);
});

it.skipIf(!hasPython)(
  `the Python snippet for an existing agent parses, and its imports exist${skipReason}`,
  async () => {
    const snippet = /```python\n(import asyncio\n.*?)```/s.exec(readFileSync('docs/workers.md', 'utf8'))?.[1];
    const imports = snippet?.match(/^(from|import) .*$/gm)?.join('\n');
    const check = 'import ast, sys; sys.path.insert(0, "clients/python"); ast.parse(sys.argv[1]); exec(sys.argv[2])';
    await run('python3', ['-B', '-c', check, snippet ?? '', imports ?? 'no import']);
  },
);

/** Reads the vendor table of a Python worker without running it, since its packages are not installed. */
async function readVendorTable(file: string): Promise<Record<Role, string[]>> {
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

/** Lists the vendors that the console offers and a worker does not support. */
function listUnsupportedVendors(table: Record<Role, string[]>): string[] {
  const uses = { transcriber: 'stt', llm: 'llm', voice: 'tts' } as const;
  return Object.entries(uses).flatMap(([role, use]) =>
    Object.keys(catalogue[use])
      .filter((vendor) => !table[role as Role].includes(vendor))
      .map((vendor) => `${role}: ${vendor}`),
  );
}

it.skipIf(!hasPython)(`the Python workers support every vendor of the console except AWS${skipReason}`, async () => {
  for (const file of ['livekit_worker.py', 'pipecat_worker.py']) {
    expect(listUnsupportedVendors(await readVendorTable(file)), file).toEqual(['llm: aws', 'voice: aws']);
  }
});

it('the pip line of the LiveKit worker installs what it imports', () => {
  const source = readFileSync('docs/workers/livekit_worker.py', 'utf8');
  const extras = [...source.matchAll(/"livekit-agents\[([^\]]+)\]/g)].flatMap(([, names = '']) => names.split(','));
  const [, plugins = ''] = /from livekit\.plugins import \(([^)]*)\)/.exec(source) ?? [];
  expect(extras).toEqual(
    expect.arrayContaining(['mcp', ...plugins.split(',').map((name) => name.trim())].filter(Boolean)),
  );
});

it('LiveKit recognizes the Node worker as an agent', () => {
  // LiveKit's `isAgent` looks for this symbol. Without it, every call fails with "missing or invalid default export".
  expect(Symbol.for('livekit.agents.AgentDefinition') in agent).toBe(true);
});

it('the Node worker supports every vendor of the console that LiveKit offers on Node with an API key', () => {
  const { transcriber, llm, voice } = vendors;
  const table = { transcriber: Object.keys(transcriber), llm: Object.keys(llm), voice: Object.keys(voice) };
  expect(listUnsupportedVendors(table)).toEqual([
    'transcriber: google',
    'transcriber: speechmatics',
    'llm: aws',
    'voice: google',
    'voice: aws',
  ]);
});

describe.each(Object.keys(languages) as Language[])('a %s worker', (language) => {
  const skipped = language === 'Python' && !hasPython;
  const reason = skipped ? skipReason : '';
  let worker: ReturnType<typeof createWorker>;
  let assistantId: string;
  beforeEach(async () => {
    worker = createWorker(language);
    assistantId = await createAssistant();
  });

  it.skipIf(skipped)(`says which variable to set if one is missing${reason}`, async () => {
    await expect(createWorker(language, { url: '' }).runSteps()).rejects.toThrow(
      'Set VOICE_ASSISTANTS_URL to the address',
    );
    await expect(createWorker(language, { key: '' }).runSteps()).rejects.toThrow(
      'Set VOICE_ASSISTANTS_KEY to an API key',
    );
  });

  it.skipIf(skipped)(
    `gets one version for a room, and asks for each call only while calls are shared${reason}`,
    async () => {
      const before = readStatuses().length;
      const publish = async (description: string) => {
        await user.put(`/assistants/${assistantId}`, { description });
        await user.post(`/assistants/${assistantId}/versions`, {});
      };
      const start = async (...rooms: string[]) => {
        const steps = rooms.map((room): Step => ['start', [assistantId, room]]);
        const results = await worker.runSteps(...steps);
        return results.map(({ returned }) => (returned as RuntimeConfig).version);
      };
      await publish('First');
      expect(await start('a', 'b')).toEqual([1, 1]);
      await expect.poll(() => readStatuses().slice(before)).toEqual(['200']);

      await publish('Second');
      const versions = [1, 2].map((version) => ({ version, weight: 50 }));
      await user.put(`/assistants/${assistantId}/live`, { versions });
      expire(worker.getCopyPath(assistantId));
      const rooms = Array.from({ length: 12 }, (_, i) => `room ${i}`);
      const chosen = await start(...rooms);
      expect(new Set(chosen)).toEqual(new Set([1, 2]));
      expect(await start(...rooms)).toEqual(chosen);
      const read = async (room: string) => (await start(room))[0];
      expect(await read('room 3')).toBe(chosen[3]);
    },
  );

  it.skipIf(skipped)(`loads the configuration once per lease, and revalidates it afterwards${reason}`, async () => {
    const before = readStatuses().length;
    const expectStatuses = () => expect.poll(() => readStatuses().slice(before));
    const credential = (role: Role): Step => ['credential', { assistant_id: assistantId, role }];

    const [first, ...credentials] = await worker.runSteps(
      ['load', assistantId],
      credential('llm'),
      credential('voice'),
      credential('transcriber'),
    );
    expect(first?.returned).toMatchObject({ assistant: minimal, expires_at: expect.any(String) });
    expect(credentials).toEqual([
      { returned: { service_type: 'openai', name: 'default', api_key: 'sk-the-key-of-the-model' } },
      { returned: { service_type: 'cartesia', name: 'default', api_key: 'sk-the-key-of-the-voice' } },
      { failed: expect.stringContaining('transcriber: You have no credential of deepgram') },
    ]);
    const copy = worker.getCopyPath(assistantId);
    expect([copy, join(copy, '..')].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);

    expect(await worker.runSteps(['load', assistantId])).toEqual([first]); // no request during the lease
    expire(copy);
    expect(await worker.runSteps(['load', assistantId], ['load', assistantId])).toEqual([first, first]);
    await expectStatuses().toEqual(['200', '304']);

    await user.put(`/assistants/${assistantId}`, { name: 'Desk' });
    expire(copy);
    const [changed] = await worker.runSteps(['load', assistantId]);
    expect(changed?.returned).toMatchObject({ assistant: { name: 'Desk' } });
    await expectStatuses().toEqual(['200', '304', '200']);
  });

  it.skipIf(skipped)(`reads a configuration again whose copy has no ETag${reason}`, async () => {
    await worker.runSteps(['load', assistantId]);
    const copy = worker.getCopyPath(assistantId);
    const { etag: _, ...others } = JSON.parse(readFileSync(copy, 'utf8'));
    for (const known of [others, { ...others, etag: null }]) {
      writeFileSync(copy, JSON.stringify({ ...known, until: 0 }));
      const [again] = await worker.runSteps(['load', assistantId]);
      expect(again?.returned).toMatchObject({ assistant: { id: assistantId } });
    }
    expect(JSON.parse(readFileSync(copy, 'utf8')).etag).toEqual(expect.any(String));
  });

  it.skipIf(skipped)(
    `chooses the assistant by dispatch, dialled number and ASSISTANT_ID, in that order${reason}`,
    async () => {
      const steps: Step[] = [
        ['choose', ['{"assistant_id": "dispatched"}', '+4930123']],
        ['choose', ['{"tenant": 7}', '+4930123']],
        ['choose', ['not JSON', '+4930999']],
      ];
      const numbers = { ASSISTANTS_BY_NUMBER: '{"+4930123": "by number"}' };
      worker.settings.env = { ...numbers, ASSISTANT_ID: 'the only one' };
      expect(await worker.runSteps(...steps)).toEqual([
        { returned: 'dispatched' },
        { returned: 'by number' },
        { returned: 'the only one' },
      ]);
      worker.settings.env = { ...numbers, ASSISTANT_ID: '' };
      const [, , none] = await worker.runSteps(...steps);
      expect(none?.failed).toMatch(
        /^No assistant for this call \(dialled number: \+4930999\)\. .*ASSISTANTS_BY_NUMBER/,
      );
    },
  );

  it.skipIf(skipped)(`takes variables as text, and skips those without a value${reason}`, async () => {
    const variables = { name: 'Zoë', note: null, lines: 2, is_new: true, order: { id: '7' }, empty: '' };
    const steps = [{ variables }, { variables: null }, { variables: ['a'] }, {}, null].map(
      (metadata): Step => ['variables', JSON.stringify(metadata)],
    );
    expect(await worker.runSteps(...steps)).toEqual([
      { returned: { name: 'Zoë', lines: '2', is_new: 'true', order: '{"id":"7"}', empty: '' } },
      ...Array.from({ length: 4 }, () => ({ returned: {} })),
    ]);
  });

  it.skipIf(skipped)(`starts the version that the dispatch names, else the live one of the room${reason}`, async () => {
    const metadata = [{ version: 'draft' }, { version: 7 }, { version: '7' }, { version: null }, {}, null];
    const steps = metadata.map((one): Step => ['version', JSON.stringify(one)]);
    const chosen = (await worker.runSteps(...steps)).map(({ returned }) => returned);
    expect(chosen).toEqual(['draft', '7', '7', 'live', 'live', 'live']);

    for (const description of ['First', 'Second']) {
      await user.put(`/assistants/${assistantId}`, { description });
      await user.post(`/assistants/${assistantId}/versions`, {});
    }
    const starts = ['live', 'draft', '1', '2'].map((version): Step => ['start', [assistantId, 'room', version]]);
    const started = await worker.runSteps(...starts);
    expect(started.map(({ returned }) => (returned as RuntimeConfig).version)).toEqual([2, null, 1, 2]);
    const cached = worker.getCopyPath(assistantId);
    expect(JSON.parse(readFileSync(cached, 'utf8')).configuration.version).toBe(2);
    expect(await worker.runSteps(['start', [assistantId, 'room', '9']])).toEqual([{ refused: 404 }]);
  });

  it.skipIf(skipped)(`never takes another version for the one that the dispatch names${reason}`, async () => {
    expect(await worker.runSteps(['load', assistantId])).toMatchObject([{ returned: { version: null } }]);
    worker.settings.url = 'http://127.0.0.1:1';
    const start: Step = ['start', [assistantId, 'room', 'draft']];
    expect(await worker.runSteps(start)).toEqual([{ unavailable: true }]);
  });

  it.skipIf(skipped)(`passes a vendor's settings on, except its key and base URL${reason}`, async () => {
    await user.post('/user-credentials', { service_type: 'elevenlabs', api_key: 'sk-eleven' });
    const speaking = { voice_id: 'anna', speed: 1.1, base_url: 'https://elsewhere.example', api_key: 'sk-other' };
    const [plain, grouped] = await Promise.all([
      createAssistant({ voice: speaking }),
      createAssistant({ voice: { ...speaking, tts_provider: '11labs', tts_model: 'eleven_v3' } }),
    ]);
    const built = await worker.runSteps(
      ['build', { assistant_id: plain, role: 'voice' }],
      ['build', { assistant_id: grouped, role: 'voice' }],
    );
    const key = language === 'Python' ? 'api_key' : 'apiKey';
    const [id, manner] = language === 'Python' ? ['voice_id', 'voice_settings'] : ['voiceId', 'voiceSettings'];
    expect(built).toMatchObject([
      { returned: { [key]: 'sk-the-key-of-the-voice', voice: 'anna', language: 'en', speed: 1.1 } },
      {
        returned: {
          [key]: 'sk-eleven',
          [id as string]: 'anna',
          model: 'eleven_v3',
          [manner as string]: { speed: 1.1, stability: 0.5 },
        },
      },
    ]);
    expect(JSON.stringify(built)).not.toMatch(/elsewhere|sk-other|default/);
  });

  it.skipIf(skipped)(`lists the supported vendors if it does not support one${reason}`, async () => {
    await user.post('/user-credentials', { service_type: 'polly', api_key: 'sk-polly' });
    const id = await createAssistant({ voice: { tts_provider: 'polly' } });
    const [built] = await worker.runSteps(['build', { assistant_id: id, role: 'voice' }]);
    expect(built?.failed).toMatch(
      /^This worker does not support "polly" as voice\. It supports cartesia, .*elevenlabs/,
    );
  });

  it.skipIf(skipped)(`keeps its last copy while the live version cannot be read${reason}`, async () => {
    const publish = () => user.post(`/assistants/${assistantId}/versions`, {});
    const start: Step = ['start', [assistantId, 'room']];
    await publish();
    expect(await worker.runSteps(start)).toMatchObject([{ returned: { version: 1 } }]);
    await user.put(`/assistants/${assistantId}`, { description: 'Second' });
    await publish();
    await deleteVersion(assistantId, 2);
    expire(worker.getCopyPath(assistantId));
    const before = readStatuses().length;
    expect(await worker.runSteps(start)).toMatchObject([{ returned: { version: 1 } }]);
    await expect.poll(() => readStatuses().slice(before)).toEqual(['503']);
  });

  it.skipIf(skipped)(`measures the duration of a call until its end, not until it is saved${reason}`, async () => {
    const [log] = await worker.runSteps(['log', ['2026-11-21T13:36:02+00:00', '2026-11-21T13:37:16.250+00:00']]);
    expect(log?.returned).toMatchObject({ session_duration: 74.25, ended_at: expect.stringContaining('13:37:16.25') });
  });

  it.skipIf(skipped)(`saves a call once if it is sent twice${reason}`, async () => {
    const log = buildCallLog(assistantId);
    const [first, again] = await worker.runSteps(['save', log], ['save', log]);
    expect(first?.returned).toMatchObject({ room_name: log.room_name, message_count: 2, preview: expect.any(String) });
    expect(again).toEqual(first);
    expect(await listSessions(log.room_name)).toHaveLength(1);
    expect(worker.listCalls()).toEqual([]);
  });

  it.skipIf(skipped)(`retries after a failure, including a lost response${reason}`, async () => {
    const proxy: FaultyProxy = await startFaultyProxy(host.url);
    const faults = ['fail', 'lose'] as const;
    proxy.decide = () => faults[proxy.seen.length - 1] ?? 'pass';
    const log = buildCallLog(assistantId);
    const [saved] = await createWorker(language, { url: proxy.url }).runSteps(['save', log]);
    proxy.stop();
    expect(proxy.seen).toEqual(['POST', 'POST', 'POST']);
    const sessions = await listSessions(log.room_name);
    expect(sessions).toHaveLength(1);
    expect(saved?.returned).toMatchObject({ ...sessions[0] });
  });

  it.skipIf(skipped)(`does not retry a refused request${reason}`, async () => {
    await worker.runSteps(['load', assistantId]);
    expire(worker.getCopyPath(assistantId));
    worker.settings.key = await createKey('logs'); // may save, but not load
    const [log, hopeless] = [buildCallLog(assistantId), buildCallLog(randomUUID())];
    const [loaded, refused] = await worker.runSteps(['load', assistantId], ['save', hopeless]);
    expect([loaded, refused]).toEqual([{ refused: 403 }, { returned: null }]);
    expect(existsSync(worker.getCopyPath(assistantId))).toBe(false);
    expect(worker.listCalls()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.refused$/)]);

    worker.settings.key = 'va_dev_none';
    expect(await worker.runSteps(['save', log])).toEqual([{ returned: null }]);
    expect(worker.listCalls()).toContainEqual(expect.stringMatching(/\.json$/));
    worker.settings.key = key;
    await worker.runSteps(['send waiting', null]);
    expect(worker.listCalls()).toEqual([expect.stringMatching(/\.refused$/)]);
    expect(await listSessions(log.room_name)).toHaveLength(1);
  });
});

it.skipIf(!hasPython)(`a Python worker tells the model that a tool does not exist${skipReason}`, async () => {
  const [called] = await createWorker('Python').runSteps(['call tool', 'fly']);
  expect(called?.returned).toBe('{"error": "There is no such tool"}');
});

it.skipIf(!hasPython)(
  `a Python worker prefers the newer of the copies in memory and on disk${skipReason}`,
  async () => {
    const id = await createAssistant();
    const steps: Step[] = [
      ['load', id],
      ['write older copy', id],
      ['load', id],
    ];
    const [first, , again] = await createWorker('Python').runSteps(...steps);
    expect(first?.returned).toMatchObject({ assistant: minimal });
    expect(again).toEqual(first);
  },
);

it.skipIf(!hasPython)(
  `a Python worker that cannot write or delete its copy goes on, and leaves no secrets behind${skipReason}`,
  async () => {
    const [worker, id] = [createWorker('Python'), await createAssistant()];
    const path = worker.getCopyPath(id);
    mkdirSync(path, { recursive: true }); // a folder can neither be replaced nor deleted as a file
    expect(await worker.runSteps(['load', id])).toMatchObject([{ returned: { assistant: minimal } }]);
    expect(readdirSync(join(path, '..'))).toEqual([`${id}.json`]);
    worker.settings.key = await createKey('logs');
    expect(await worker.runSteps(['load', id])).toEqual([{ refused: 403 }]);
    expect(worker.stderr).toEqual([
      expect.stringContaining('cannot be written'),
      expect.stringContaining('cannot be deleted'),
    ]);
  },
);

it.skipIf(!hasPython)(`a Python worker warns about settings that its vendor does not accept${skipReason}`, async () => {
  const worker = createWorker('Python');
  await user.post('/user-credentials', { service_type: 'deepgram', api_key: 'sk-deepgram' });
  const [nova, flux] = await Promise.all([
    createAssistant({ transcriber: { stt_provider: 'deepgram', keyterm: 'Zahn' } }),
    createAssistant({ transcriber: { stt_provider: 'deepgram', stt_model: 'flux-general-en' } }),
  ]);
  expect(
    await worker.runSteps(
      ['build', { assistant_id: nova, role: 'transcriber' }],
      ['build', { assistant_id: flux, role: 'transcriber' }],
    ),
  ).toEqual([{ returned: { api_key: 'sk-deepgram', models: ['nova-3'] } }, { returned: { token: 'sk-deepgram' } }]);
  expect(worker.stderr).toEqual(["Ignored transcriber.keyterm: this worker's vendor takes no such setting\n"]);
});

it(`workers keep calls while the API is down, and send each of them once when it is back${skipReason}`, async () => {
  const tested = (Object.keys(languages) as Language[]).filter((language) => language !== 'Python' || hasPython);
  const workers = await Promise.all(
    tested.map(async (language) => {
      const [worker, assistantId] = [createWorker(language), await createAssistant()];
      const [loaded] = await worker.runSteps(['load', assistantId]);
      expire(worker.getCopyPath(assistantId));
      return { ...worker, assistantId, loaded, log: buildCallLog(assistantId) };
    }),
  );
  const { port } = new URL(host.url);
  await host.stop();
  await Promise.all(
    workers.map(async ({ runSteps, listCalls, assistantId, loaded, log }) => {
      expect(await runSteps(['load', assistantId], ['save', log])).toEqual([loaded, { returned: null }]);
      expect(listCalls()).toHaveLength(1);
    }),
  );
  host = await startHost({ dir, port: Number(port) });
  for (const { runSteps, listCalls, log } of workers) {
    await runSteps(['send waiting', null], ['send waiting', null]);
    expect(listCalls()).toEqual([]);
    expect(await listSessions(log.room_name)).toHaveLength(1);
  }
});
