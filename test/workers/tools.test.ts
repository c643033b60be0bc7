import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, buildTools, clientTools, describeCall, startCall } from '../../docs/workers/worker.ts';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { type Host, startHost } from '../../infra/local/host.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { Session } from '../../shared/schemas/session.ts';
import type { WebCall } from '../../shared/schemas/web-call.ts';
import { type Client, createClient } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { upload, waitUntilParsed } from '../support/knowledge-bases.ts';
import { answer, type Receiver, startReceiver } from '../support/receiver.ts';

const run = promisify(execFile);
const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-worker-tools-'));
const canary = 'sk-canary-that-no-worker-has';
let host: Host;
let user: Client;
let api: Api;
let calendar: Receiver;
let assistantId: string;

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
const skipReason = hasPython ? '' : ' (skipped: needs python3 3.10 or later)';

beforeAll(async () => {
  host = await startHost({ dir, port: 0 });
  const token = await (await LocalIssuer.open(dir)).token({ sub: 'worker-tools', ttl: 3600 });
  user = createClient('', token, host.url);
  calendar = await startReceiver(answer(200, '{"booked":"2026-11-24T10:00"}'));
  for (const service_type of ['openai', 'cartesia', 'deepgram'])
    await user.post('/user-credentials', { service_type, api_key: `sk-${service_type}` });
  await user.post('/user-credentials', { service_type: 'calendar', api_key: canary });
  const { body: key } = await user.post<{ data: { secret: string } }>('/api-keys', {
    name: 'Worker',
    scopes: ['runtime', 'logs'],
  });
  api = { url: host.url, key: key.data.secret, folder: join(dir, 'worker') };

  const { body } = await user.post<Assistant>('/assistants', {
    ...minimal,
    system_instruction: 'You speak to {{ caller }}, who calls from {{ call.from }}.',
    variables: { caller: { default: 'somebody' } },
    tools: [
      {
        type: 'http',
        name: 'book',
        description: 'Books a slot',
        parameters: { type: 'object', properties: { slot: { type: 'string' } }, required: ['slot'] },
        http: {
          method: 'POST',
          url: `${new URL(calendar.url).origin}/slots`,
          credential: { service_type: 'calendar' },
        },
        say: { start: 'One moment, {{ caller }}.', failure: 'The calendar does not answer.' },
      },
      { type: 'client', name: 'open_door', description: 'Opens a door' },
      { type: 'client', name: 'unknown_here', description: 'The worker has no code for this' },
      { type: 'client', name: 'toString', description: 'Nor for this, though every object has one' },
      { type: 'transfer', destinations: [{ to: 'tel:+49309', when: 'asks for a person' }] },
      { type: 'end_call' },
    ],
    mcp_servers: [{ name: 'crm', url: 'https://mcp.example.com/mcp', allowed_tools: ['find'] }],
  });
  assistantId = body.id;
  const document = await upload(user, readFileSync('test/data/documents/fairy-tales.pdf'), 'tales.pdf', {
    path: `/assistants/${assistantId}/knowledge-base`,
  });
  await waitUntilParsed(user, document.body.data.id);
});
afterAll(async () => {
  calendar.stop();
  await host.stop();
  rmSync(dir, { recursive: true });
});

/** Runs a Python program of this folder, and returns what it prints as JSON, and its log. */
async function runPython(file: string, ...args: string[]) {
  const env = {
    ...process.env,
    VOICE_ASSISTANTS_URL: api.url,
    VOICE_ASSISTANTS_KEY: api.key,
    VOICE_ASSISTANTS_FOLDER: api.folder,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { stdout, stderr } = await run('python3', [join('test/workers', file), ...args], { env });
  return { ...JSON.parse(stdout), log: stderr };
}

/** Concatenates all files that the worker has written. */
const readWorkerFiles = () =>
  readdirSync(api.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');

/** Callers in a room, and the call logs of a worker. */
const callers: { identity: string; name: string; attributes: Record<string, string> }[] = [
  { identity: 'browser-7', name: '', attributes: {} },
  {
    identity: 'sip_+49301',
    name: 'Ann',
    attributes: { 'sip.callID': 'a', 'sip.ruleID': 'b', 'sip.phoneNumber': '+49301', 'sip.trunkPhoneNumber': '+49302' },
  },
  {
    identity: 'sip_+49303',
    name: 'Bob',
    attributes: { 'sip.callID': 'c', 'sip.phoneNumber': '+49303', 'sip.trunkPhoneNumber': '+49302' },
  },
];
const described = [
  { room_name: 'a room' },
  { room_name: 'a room', participant_name: 'Ann', from: '+49301', to: '+49302', direction: 'inbound' },
  { room_name: 'a room', participant_name: 'Bob', from: '+49302', to: '+49303', direction: 'outbound' },
];

describe('tools of a call', () => {
  it.skipIf(!hasPython)(
    `reach the LiveKit worker: it answers from a PDF, books without the key, and hangs up${skipReason}`,
    async () => {
      const script = [
        ['search_knowledge', { query: 'Oliver Twist undertaker coffins' }],
        ['book', { slot: '10:00' }],
        ['open_door', { door: 'A' }],
        ['transfer_call', { to: 'tel:+881900000001' }],
        ['transfer_call', { to: 'tel:+49309' }],
        ['end_call', {}],
      ];
      const metadata = JSON.stringify({ assistant_id: assistantId, variables: { caller: 'Ann' } });
      const seen = await runPython('livekit.py', JSON.stringify(script), metadata, JSON.stringify(callers));
      expect(seen.described).toEqual([{ ...described[0], participant_name: null }, ...described.slice(1)]);
      expect(seen.instructions).toBe('You speak to Ann, who calls from +49301.');
      expect(seen.tools.map(({ name }: { name: string }) => name)).toEqual([
        'book',
        'open_door',
        'transfer_call',
        'end_call',
        'search_knowledge',
      ]);
      expect(seen.outputs[0]).toMatch(/undertaker/i);
      expect(JSON.parse(seen.outputs[1])).toMatchObject({ status: 200, result: { booked: '2026-11-24T10:00' } });
      expect(seen.outputs[2]).toBe('opened A');
      expect(seen.outputs[3]).toBe('Calls cannot be transferred there.');
      expect(seen.transfers).toEqual([['sip_1', 'tel:+49309']]);
      expect(seen).toMatchObject({ said: ['One moment, Ann.', expect.any(String)], hung_up: true });
      expect(seen.servers[0].mcp_server).toMatchObject({ url: 'https://mcp.example.com/mcp', allowed_tools: ['find'] });

      expect(calendar.requests.at(-1)?.headers).toMatchObject({
        authorization: `Bearer ${canary}`,
        'idempotency-key': 'call_1',
      });
      expect(JSON.stringify(seen) + readWorkerFiles()).not.toContain(canary);

      const { body } = await user.get<{ data: { sessions: Session[] } }>(`/logs/chat-sessions?room_name=${seen.room}`);
      const { body: log } = await user.get<{ data: { logs: { type: string }[]; session: object } }>(
        `/logs/chat-logs/${body.data.sessions[0]?.session_id}`,
      );
      expect(log.data.session).toMatchObject({ participant_name: 'Ann', direction: 'inbound' });
      const kinds = log.data.logs.map(({ type }) => type);
      expect(kinds.filter((type) => type === 'function_call')).toHaveLength(6);
      expect(kinds.filter((type) => type === 'function_call_output')).toHaveLength(6);
    },
  );

  it.skipIf(!hasPython)(`follow the version and variables of a call from a browser${skipReason}`, async () => {
    const livekit = { url: 'wss://livekit.invalid', api_key: 'APIkey', api_secret: canary };
    await user.post('/user-credentials', { service_type: 'livekit', api_key: JSON.stringify(livekit) });
    const texts = { ...minimal, variables: { caller: { required: true } }, first_message: null };
    const { body } = await user.post<Assistant>('/assistants', { ...texts, system_instruction: 'Live {{ caller }}' });
    await user.post(`/assistants/${body.id}/versions`, {});
    await user.put(`/assistants/${body.id}`, { system_instruction: 'Draft {{ caller }}' });
    for (const [version, text] of [
      ['draft', 'Draft Zoë'],
      ['1', 'Live Zoë'],
      ['live', 'Live Zoë'],
    ]) {
      const { body: call } = await user.post<{ data: WebCall }>(`/assistants/${body.id}/web-calls`, {
        version,
        variables: { caller: 'Zoë' },
      });
      const [agent] = (decodeJwt(call.data.token) as { roomConfig: { agents: { metadata: string }[] } }).roomConfig
        .agents;
      const seen = await runPython('livekit.py', '[]', agent?.metadata ?? '', '[]');
      expect(seen).toMatchObject({ instructions: text, configuration: { version: version === 'draft' ? null : 1 } });
    }
  });

  it.skipIf(!hasPython)(`reach the Pipecat worker, which adds up what it used${skipReason}`, async () => {
    const script = [
      ['search_knowledge', { query: 'Oliver Twist undertaker coffins' }],
      ['book', { slot: '11:00' }],
      ['end_call', {}],
    ];
    const seen = await runPython('pipecat.py', assistantId, JSON.stringify(script));
    expect(seen.tools).toEqual(['book', 'end_call', 'search_knowledge', 'find']);
    expect(seen.servers).toEqual([
      ['https://mcp.example.com/mcp', 'connected'],
      ['https://mcp.example.com/mcp', 'closed'],
    ]);
    expect(seen.log).toContain('The MCP server refuses cannot be reached (refused): the call goes on without it');
    for (const name of ['cancels', 'hangs'])
      expect(seen.log).toContain(`The MCP server ${name} cannot be reached (no answer)`);
    expect(seen.results[0]).toMatch(/undertaker/i);
    expect(seen.frames).toEqual([
      ['Frame', 'One moment, somebody.'],
      ['EndWorkerFrame', null],
    ]);
    expect(seen.usage).toEqual([
      {
        type: 'llm_usage',
        provider: 'openai',
        model: 'gpt',
        input_tokens: 200,
        input_cached_tokens: 0,
        output_tokens: 40,
      },
      { type: 'tts_usage', provider: 'cartesia', model: 'sonic', characters_count: 14 },
    ]);
  });

  it('reach the TypeScript worker, whose model hears of a failure', async () => {
    const configuration = await startCall(api, assistantId, { call: {}, variables: { caller: 'Zoë' } });
    type Execute = (given: object, options: object) => Promise<unknown>;
    const said: string[] = [];
    const finished: (() => void)[] = [];
    let deleted = 0;
    const context = {
      addShutdownCallback: (callback: () => Promise<void>) => finished.push(callback),
      deleteRoom: async () => {
        deleted += 1;
      },
    };
    const make = { tool: (options: object) => options };
    // Code for a tool of the name runs only if the tool is the worker's.
    Object.assign(clientTools, { book: async () => 'mine', open_door: async ({ door }: { door?: string }) => door });
    const tools = buildTools(make, api, configuration, context) as Record<string, { execute: Execute }>;
    expect(Object.keys(tools)).toEqual(['book', 'open_door', 'end_call', 'search_knowledge']);
    const session = { say: (text: string) => said.push(text), shutdown: () => said.push('(ended)') };
    const ctx = { session, speechHandle: { addDoneCallback: (done: () => void) => done() } };
    const call = (name: string, given: object) => tools[name]?.execute(given, { ctx, toolCallId: 'call_9' });
    expect(JSON.stringify(await call('search_knowledge', { query: 'Oliver Twist undertaker coffins' }))).toMatch(
      /undertaker/i,
    );
    expect(await call('open_door', { door: 'A' })).toBe('A');
    expect(await call('book', { slot: '12:00' })).toMatchObject({ result: { booked: '2026-11-24T10:00' } });
    calendar.script = (response) => response.socket?.destroy();
    expect(await call('book', { slot: '13:00' })).toEqual({
      error: expect.any(String),
      say: 'The calendar does not answer.',
    });
    expect(await call('book', {})).toMatchObject({ error: expect.stringContaining('422') });
    await call('end_call', {});
    for (const callback of finished) callback();
    expect(said).toEqual(['One moment, Zoë.', 'One moment, Zoë.', 'One moment, Zoë.', '(ended)']);
    expect(deleted).toBe(1);
    expect(callers.map((caller) => describeCall('a room', caller))).toEqual(described);
  });
});
