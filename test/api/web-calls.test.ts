import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import type { WebCall } from '../../shared/schemas/web-call.ts';
import { type Client, createOtherUser, createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { findFiles } from '../support/files.ts';
import { createMember, createWorkspaceId } from '../support/workspaces.ts';

const user = await createUser();
const canary = `secret-${randomUUID()}`;
const project = { url: 'wss://clinic.livekit.cloud', api_key: 'APIclinic', api_secret: canary };

const saveProject = (fields: unknown, who: Client = user, name?: string) =>
  who.post<{ data: { id: string } }>('/user-credentials', {
    service_type: 'livekit',
    api_key: typeof fields === 'string' ? fields : JSON.stringify(fields),
    ...(name && { name }),
  });
const { body: credential } = await saveProject(project);

const { id } = (await createAssistant(user)).body;
const call = (fields: object = {}, { assistant = id, client = user } = {}) =>
  client.post<{ data: WebCall }>(`/assistants/${assistant}/web-calls`, fields);

const parse = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString());

/** Checks the signature of a token, by RFC 7515 and nothing of the service. Returns its claims. */
function verify(token: string, secret = canary) {
  const [header, payload, signature, ...rest] = token.split('.');
  expect(rest).toEqual([]);
  expect(parse(header)).toEqual({ alg: 'HS256' });
  expect(createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')).toBe(signature);
  return parse(payload);
}

/** Returns the metadata of a call that LiveKit passes to the worker. */
const readMetadata = (token: string) => JSON.parse(verify(token).roomConfig.agents[0].metadata);

describe('a web call', () => {
  it('is a token of LiveKit for one room, to which LiveKit sends the worker', async () => {
    const startedAt = Math.floor(Date.now() / 1_000);
    const { status, headers, body, text } = await call({ participant_name: 'Ada', variables: { greeting: 'Hi' } });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const { url, room_name, token, agent_name, expires_at } = body.data;
    expect([url, agent_name]).toEqual(['wss://clinic.livekit.cloud', 'voice-assistants']);
    expect(room_name).toMatch(/^web-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
    const { exp, nbf, sub, roomConfig, ...claims } = verify(token);
    expect(claims).toEqual({
      iss: 'APIclinic',
      name: 'Ada',
      video: {
        ...{ room: room_name, roomJoin: true, canPublish: true, canSubscribe: true, canPublishData: true },
        canPublishSources: ['microphone'],
      },
    });
    expect(sub).toMatch(/^browser-[0-9a-f-]{36}$/);
    expect(roomConfig.agents).toMatchObject([{ agentName: 'voice-assistants', metadata: expect.any(String) }]);
    expect(roomConfig.agents).toHaveLength(1);
    expect(readMetadata(token)).toEqual({ assistant_id: id, version: 'live', variables: { greeting: 'Hi' } });
    expect(nbf).toBeGreaterThanOrEqual(startedAt);
    expect(exp - Date.parse(expires_at) / 1_000).toBeOneOf([0, 1]);
    expect(exp - nbf).toBe(600);
    expect(text).not.toContain(canary);
    expect(verify(token)).not.toHaveProperty('metadata');
  });

  it('has a room and a browser of its own', async () => {
    const tokens = await Promise.all([call(), call()]).then((replies) => replies.map(({ body }) => body.data));
    expect(new Set(tokens.map(({ room_name }) => room_name)).size).toBe(2);
    expect(new Set(tokens.map(({ token }) => verify(token).sub)).size).toBe(2);
  });

  it('can be joined for the time that the client asks for', async () => {
    for (const ttl_seconds of [60, 3_600]) {
      const { exp, nbf } = verify((await call({ ttl_seconds })).body.data.token);
      expect(exp - nbf).toBe(ttl_seconds);
    }
    for (const ttl_seconds of [59, 3_601, 60.5, '600'])
      expect([(await call({ ttl_seconds })).status, ttl_seconds]).toEqual([422, ttl_seconds]);
  });

  it('gets the name of the worker and the credential that the assistant names', async () => {
    await saveProject({ ...project, api_key: 'APIother' }, user, 'other');
    await saveProject(project, user, 'default');
    const transport = { livekit: { agent_name: 'clinic', credential: 'other' } };
    const { body: assistant } = await createAssistant(user, { transport });
    const { body } = await call({}, { assistant: assistant.id });
    expect(body.data.agent_name).toBe('clinic');
    expect(verify(body.data.token)).toMatchObject({
      iss: 'APIother',
      roomConfig: { agents: [{ agentName: 'clinic' }] },
    });
  });

  it('gets the live version, the draft or the version that the client names, with its worker', async () => {
    const { body: assistant } = await createAssistant(user, { transport: { livekit: { agent_name: 'first' } } });
    await user.post(`/assistants/${assistant.id}/versions`, {});
    await user.put(`/assistants/${assistant.id}`, { transport: { livekit: { agent_name: 'second' } } });
    const chosen = async (version?: string) => {
      const { body } = await call({ version }, { assistant: assistant.id });
      return [body.data.agent_name, readMetadata(body.data.token).version];
    };
    expect(await chosen()).toEqual(['first', 'live']);
    expect(await chosen('live')).toEqual(['first', 'live']);
    expect(await chosen('1')).toEqual(['first', '1']);
    expect(await chosen('draft')).toEqual(['second', 'draft']);
    const unknown = await call({ version: '2' }, { assistant: assistant.id });
    expect([unknown.status, listFaults(unknown)]).toEqual([404, ['body.version: not_found']]);
    expect((await call({ version: 'newest' })).status).toBe(422);
  });

  it('needs the variables of the version that its room will get, and names all that are missing', async () => {
    const variables = { name: { required: true }, order: { required: true }, note: {} };
    const { body: assistant } = await createAssistant(user, { system_instruction: 'Greet {{ name }}.', variables });
    const missing = await call({ variables: { note: 'x' } }, { assistant: assistant.id });
    expect(missing.status).toBe(422);
    expect(listFaults(missing)).toEqual(['body.variables.name: missing', 'body.variables.order: missing']);
    const given = { name: 'Ada', order: '7' };
    expect((await call({ variables: given }, { assistant: assistant.id })).status).toBe(200);
  });

  it('is refused if the worker would be, because a text cannot be rendered', async () => {
    const variables = { days: { required: true } };
    const system_instruction = '{% for day in (1..days) %}Every day is a day.{% endfor %}';
    const { body: assistant } = await createAssistant(user, { system_instruction, variables });
    const reply = await call({ variables: { days: '99999' } }, { assistant: assistant.id });
    expect([reply.status, listFaults(reply)]).toEqual([422, ['body.variables: template_error']]);
  });

  it('is told and logged as a use of the credential', async () => {
    const reply = await call();
    const { body } = await user.get<{ data: { events: JournalEvent[] } }>(
      `/logs/audit?subject_id=${id}&type=credential.leased&limit=1`,
    );
    const [event] = body.data.events;
    expect(event?.request_id).toBe(reply.headers.get('x-request-id'));
    expect(event?.data).toEqual({
      assistant_id: id,
      roles: [{ role: 'transport', credential_id: credential.data.id, outcome: 'leased' }],
    });
    if (deployed) return;
    const lines = () =>
      readFileSync(join(inject('dataDir'), 'logs', 'functions.log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(`${event?.request_id}`) && line.includes('"audit"'))
        .map((line) => JSON.parse(line).message);
    await expect
      .poll(lines)
      .toMatchObject([
        { audit: 'lease', assistant: id, role: 'transport', credential: credential.data.id, outcome: 'used' },
      ]);
    expect(await findFiles(canary)).toEqual([]);
  });

  it('belongs to the owner of the assistant, and to keys with the scope chat', async () => {
    const foreign = await call({}, { client: await createOtherUser() });
    expect([foreign.status, listFaults(foreign)]).toEqual([404, ['path.assistant_id: not_found']]);
    expect((await call({}, { client: await createWorker(user, ['chat']) })).status).toBe(200);
    const others = await createWorker(user, ['read', 'write', 'logs', 'runtime', 'events', 'webhooks']);
    expect((await call({}, { client: others })).status).toBe(403);
  });

  it.skipIf(deployed)('is out of reach for a viewer of a workspace', async () => {
    const org = createWorkspaceId();
    const [editor, viewer] = [await createMember({ org, role: 'editor' }), await createMember({ org, role: 'viewer' })];
    await saveProject(project, editor);
    const { body: assistant } = await createAssistant(editor);
    expect((await call({}, { assistant: assistant.id, client: editor })).status).toBe(200);
    expect((await call({}, { assistant: assistant.id, client: viewer })).status).toBe(403);
  });
});

describe('the credential of LiveKit', () => {
  /** Prepares a web call as a new user with this credential. */
  async function callWith(fields?: unknown, transport: object = {}) {
    const owner = await createUser();
    if (fields !== undefined) await saveProject(fields, owner);
    const { body } = await owner.post<Assistant>('/assistants', { ...minimal, transport });
    return call({}, { assistant: body.id, client: owner });
  }
  const explain = 'save {"url": "wss://…", "api_key": "…", "api_secret": "…"}';

  it.skipIf(deployed)('is asked for, with what to save, if there is none', async () => {
    const reply = await callWith();
    expect([reply.status, listFaults(reply)]).toEqual([424, ['service.vendor: missing']]);
    expect(JSON.parse(reply.text).detail[0].msg).toContain(explain);
    const named = await callWith(project, { livekit: { credential: 'another' } });
    expect(listFaults(named)).toEqual(['service.vendor: missing']);
  });

  it.skipIf(deployed)('must be one, or be named', async () => {
    const owner = await createUser();
    await saveProject(project, owner, 'a');
    await saveProject(project, owner, 'b');
    const { body } = await owner.post<Assistant>('/assistants', minimal);
    expect(listFaults(await call({}, { assistant: body.id, client: owner }))).toEqual(['service.vendor: ambiguous']);
  });

  it.skipIf(deployed).for([
    ['the secret alone', canary],
    ['no object', [project]],
    ['null', 'null'],
    ['a number', '7'],
    ['no address', { ...project, url: undefined }],
    ['no key', { ...project, api_key: undefined }],
    ['no secret', { ...project, api_secret: undefined }],
    ['an empty secret', { ...project, api_secret: ' ' }],
    ['a secret that is no text', { ...project, api_secret: 7 }],
    ['an address that is none', { ...project, url: 'clinic' }],
    ['an address without TLS', { ...project, url: 'ws://clinic.example.com' }],
    ['an address without TLS that looks local', { ...project, url: 'ws://localhost.example.com' }],
    ['an address with a secret', { ...project, url: `wss://key:${canary}@clinic.example.com` }],
    ['an address with a query', { ...project, url: `wss://clinic.example.com?secret=${canary}` }],
    ['an address of another kind', { ...project, url: 'javascript:alert(1)' }],
  ] as const)('is refused without repeating it: %s', async ([, fields]) => {
    const reply = await callWith(fields);
    expect([reply.status, listFaults(reply)]).toEqual([424, ['service.vendor: invalid_credential']]);
    expect(reply.text).not.toContain(canary);
    expect(JSON.parse(reply.text).detail[0].msg).toContain(explain);
  });

  it.skipIf(deployed).for([
    ['wss://clinic.example.com/', 'wss://clinic.example.com'],
    ['https://clinic.example.com', 'wss://clinic.example.com'],
    ['WSS://Clinic.example.com:7443/livekit/', 'wss://clinic.example.com:7443/livekit'],
    ['http://localhost:7880', 'ws://localhost:7880'],
    ['ws://127.0.0.1:7880', 'ws://127.0.0.1:7880'],
    ['ws://[::1]:7880', 'ws://[::1]:7880'],
  ])('may have the address %s', async ([url, expected]) => {
    expect((await callWith({ ...project, url })).body.data.url).toBe(expected);
  });

  it.skipIf(deployed).for([{ agent_name: 7 }, { agent_name: ' ' }, { agent_name: 'x'.repeat(129) }])(
    'is not used for the worker %j',
    async (livekit) => {
      const reply = await callWith(project, { livekit });
      expect([reply.status, listFaults(reply)]).toEqual([424, ['service.vendor: invalid_agent_name']]);
      expect(reply.text).toContain('LIVEKIT_AGENT_NAME');
    },
  );

  it.skipIf(deployed).for([null, 'text', 7, [], { agent_name: null, credential: null }])(
    'is the only one, and the worker the usual one, if transport.livekit is %j',
    async (livekit) => {
      expect((await callWith(project, { livekit })).body.data.agent_name).toBe('voice-assistants');
    },
  );

  it.skipIf(deployed)('must be named by text', async () => {
    const reply = await callWith(project, { livekit: { credential: 7 } });
    expect(listFaults(reply)).toEqual(['service.vendor: invalid_name']);
  });
});

describe('hostile input', () => {
  it('changes nothing but the name and the variables, whatever they hold', async () => {
    // NUL and U+FFFD are refused everywhere.
    const text = (maxLength: number) =>
      fc.string({ unit: 'grapheme', maxLength }).map((one) => one.replaceAll(/[\0\ufffd]/g, ''));
    const name = text(40);
    const key = fc.oneof(fc.stringMatching(/^[A-Za-z_]\w{0,20}$/), fc.constantFrom('toString', 'hasOwnProperty'));
    const value = fc.oneof(
      text(200),
      fc.constantFrom(
        '","video":{"roomAdmin":true}',
        '\u0001\u2028"\\',
        '{{ now }}',
        '</script>',
        `${'💥'.repeat(50)}`,
      ),
    );
    const variables = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries));
    await fc.assert(
      fc.asyncProperty(name, variables, async (participant_name, values) => {
        const { status, body, text: reply } = await call({ participant_name, variables: values });
        expect(status).toBe(200);
        const { room_name, token } = body.data;
        const { video, name: shown, roomConfig, iss } = verify(token);
        expect(video).toEqual({
          ...{ room: room_name, roomJoin: true },
          ...{ canPublish: true, canSubscribe: true, canPublishData: true, canPublishSources: ['microphone'] },
        });
        expect([shown ?? '', iss]).toEqual([participant_name, 'APIclinic']);
        expect(roomConfig.agents).toHaveLength(1);
        expect(readMetadata(token)).toEqual({ assistant_id: id, version: 'live', variables: values });
        expect(reply).not.toContain(canary);
      }),
      { numRuns: 30 },
    );
  });

  it.for([
    ['participant_name', 'x'.repeat(129)],
    ['participant_name', 7],
    ['variables', { 'not a name': 'x' }],
    ['variables', { x: 7 }],
    ['variables', { x: 'é'.repeat(2_000), y: 'é'.repeat(100) }],
    ['variables', []],
    ['version', 7],
  ])('is refused: %s %j', async ([field, value]) => {
    const reply = await call({ [field as string]: value });
    expect(reply.status).toBe(422);
    expect(listFaults(reply)[0]).toMatch(new RegExp(`^body\\.${field}`));
  });
});
