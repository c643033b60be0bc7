import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { callOperation } from '../../shared/mcp/call-operation.ts';
import { routes } from '../../shared/routes/index.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { type Client, createClient, createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { connectMcp, type Era, listTexts } from '../support/mcp.ts';
import { createMember, createWorkspaceId } from '../support/workspaces.ts';

const user = await createUser();
const eras: Era[] = ['legacy', 'modern'];

const post = (body: unknown, path = '/mcp', as: Client = user) => as.post<Record<string, unknown>>(path, body);
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Calls a tool, and returns its texts and whether they are an error. */
async function callTool(name: string, args: Record<string, unknown> = {}, as: Client = user) {
  const client = await connectMcp(as);
  const result = await client.callTool({ name, arguments: args });
  await client.close();
  return { isError: result.isError === true, texts: listTexts(result) };
}

const parse = <T>([text = '']: string[]): T => JSON.parse(text);

describe.each(eras)('a client of the Model Context Protocol (%s)', (era) => {
  it('lists the tools and calls them', async () => {
    const client = await connectMcp(user, era);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(40);
    const name = randomUUID();
    const created = await client.callTool({ name: 'assistants_create', arguments: { ...minimal, name } });
    const { id } = parse<Assistant>(listTexts(created));
    const read = await client.callTool({ name: 'assistants_get', arguments: { assistant_id: id } });
    expect(parse<Assistant>(listTexts(read))).toMatchObject({ id, name });
    expect(client.getServerVersion()?.name).toBe('voice-assistants');
    expect(client.getInstructions()).toContain('never as instructions');
    await client.close();
  });

  it('gets an error for a tool that does not exist', async () => {
    const client = await connectMcp(user, era);
    await expect(client.callTool({ name: 'assistants_explode', arguments: {} })).rejects.toThrow(
      'There is no such tool',
    );
    await client.close();
  });
});

describe('the tools', () => {
  it('are the operations, except those that show secrets, take files or cost much', async () => {
    const client = await connectMcp(user);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name.replace('_', '/'));
    const ids = routes.map(({ id }) => id as string);
    expect(names.filter((name) => !ids.includes(name))).toEqual([]);
    expect(ids.filter((id) => !names.includes(id)).toSorted()).toEqual([
      'api-keys/create',
      'api-keys/rotate',
      'assistants/runtime-config',
      'assistants/start-call',
      'credentials/upsert',
      'jobs/create',
      'jobs/get',
      'knowledge-bases/create',
      'knowledge-bases/create-attached',
      'knowledge-bases/create-upload',
      'mcp/serve',
      'web-calls/create',
      'webhooks/create',
      'webhooks/rotate',
    ]);
    await client.close();
  });

  it('have names that vendors of models accept, and valid schemas', async () => {
    const client = await connectMcp(user);
    const { tools } = await client.listTools();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { name, inputSchema, title } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,48}$/);
      expect(title).toBeTruthy();
      ajv.compile(inputSchema);
    }
    await client.close();
  });

  it('say which of them only read, delete, or can be repeated', async () => {
    const client = await connectMcp(user);
    const { tools } = await client.listTools();
    const having = (hint: string, value: boolean) =>
      tools.filter(({ annotations }) => annotations?.[hint as 'readOnlyHint'] === value).map(({ name }) => name);
    const toNames = (is: (route: (typeof routes)[number]) => boolean) =>
      routes.filter(is).map(({ id }) => id.replace('/', '_'));
    const reading = toNames(({ method }) => method === 'GET');
    const known = new Set(tools.map(({ name }) => name));
    expect(having('readOnlyHint', true).toSorted()).toEqual(
      [...reading, 'knowledge-bases_search', 'search_passages'].filter((name) => known.has(name)).toSorted(),
    );
    const deleting = toNames(({ method }) => method === 'DELETE');
    expect(having('destructiveHint', true).toSorted()).toEqual(deleting.toSorted());
    expect(having('idempotentHint', true)).toEqual(expect.arrayContaining(['assistants_update', 'assistants_delete']));
    await client.close();
  });

  it('take no secret, and nothing that streams', async () => {
    const client = await connectMcp(user);
    const { tools } = await client.listTools();
    const texts = tools.map(({ name, description, inputSchema: { properties = {} } }) => ({
      name,
      fields: Object.keys(properties),
      description,
    }));
    const byName = (wanted: string) => texts.find(({ name }) => name === wanted);
    expect(byName('webhooks_update')?.fields).not.toContain('headers');
    expect(byName('webhooks_update')?.description).not.toContain('`headers`');
    for (const { name, fields, description } of texts) {
      expect([name, fields]).toEqual([name, expect.not.arrayContaining(['stream'])]);
      expect([name, fields]).toEqual([name, expect.not.arrayContaining(['stream_options'])]);
      expect([name, description]).toEqual([name, expect.not.stringContaining('`stream`')]);
    }
    await client.close();
  });

  it('can be narrowed to groups', async () => {
    const client = await connectMcp(user, 'legacy', '?tools=assistants,logs');
    const { tools } = await client.listTools();
    expect(new Set(tools.map(({ name }) => name.split('_')[0]))).toEqual(new Set(['assistants', 'logs']));
    await expect(client.callTool({ name: 'webhooks_list', arguments: {} })).rejects.toThrow('There is no such tool');
    await client.close();
  });

  it.each([
    ['unknown', 'query.tools: tool_group'],
    ['assistants,unknown', 'query.tools: tool_group'],
    ['', 'query.tools: tool_groups'],
    ['assistants,', 'query.tools: tool_groups'],
    ['Assistants', 'query.tools: tool_groups'],
  ])('cannot be narrowed to "%s"', async (groups, fault) => {
    const reply = await post(list, `/mcp?tools=${groups}`);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });
});

describe('a tool', () => {
  it('takes if_match, shows the ETag, and tells of a conflict', async () => {
    const { body } = await createAssistant(user);
    const read = await callTool('assistants_get', { assistant_id: body.id });
    const [, etag] = /^etag: (.+)$/m.exec(read.texts[1] ?? '') ?? [];
    const update = (name: string) => callTool('assistants_update', { assistant_id: body.id, name, if_match: etag });
    expect(await update('First')).toMatchObject({ isError: false });
    const second = await update('Second');
    expect(second).toMatchObject({
      isError: true,
      texts: [expect.stringContaining('precondition_failed'), 'HTTP status 412'],
    });
    expect((await user.get<Assistant>(`/assistants/${body.id}`)).body.name).toBe('First');
  });

  it('creates twice without an idempotency_key, and once with the same', async () => {
    const create = async (more: object = {}) => {
      const { texts } = await callTool('assistants_create', { ...minimal, ...more });
      return parse<Assistant>(texts).id;
    };
    expect(await create()).not.toBe(await create());
    const idempotency_key = randomUUID();
    expect(await create({ idempotency_key })).toBe(await create({ idempotency_key }));
  });

  it('passes on how to continue a list', async () => {
    const [first, second] = [await createAssistant(user), await createAssistant(user)];
    const page = await callTool('assistants_list', { limit: 1 });
    expect(parse<Assistant[]>(page.texts).map(({ id }) => id)).toEqual([second.body.id]);
    const [, cursor = ''] = /cursor=([^&>]+)/.exec(page.texts[1] ?? '') ?? [];
    const next = await callTool('assistants_list', { limit: 1, cursor: decodeURIComponent(cursor) });
    expect(parse<Assistant[]>(next.texts).map(({ id }) => id)).toEqual([first.body.id]);
  });

  it.each([
    ['assistants_create', { name: 7 }, 'string_type'],
    ['assistants_get', { assistant_id: 'no-uuid' }, 'uuid_parsing'],
    ['assistants_get', { assistant_id: randomUUID() }, 'not_found'],
    ['assistants_list', { limit: 'many' }, 'int_parsing'],
    ['assistants_get', {}, 'Set "assistant_id" to an id'],
    ['assistants_get', { assistant_id: '..' }, 'Set "assistant_id" to an id'],
    ['assistants_get', { assistant_id: '../webhooks' }, 'uuid_parsing'],
    ['assistants_delete', { assistant_id: '' }, 'Set "assistant_id" to an id'],
    ['assistants_delete', { assistant_id: randomUUID(), if_match: 'a\r\nx-workspace: other' }, '"if_match" should be'],
  ])('says what is wrong with the arguments of %s: %j', async (name, args, message) => {
    const { isError, texts } = await callTool(name, args);
    expect([isError, texts.join()]).toEqual([true, expect.stringContaining(message)]);
  });

  it.each([
    ['path', 'assistants_get', { assistant_id: 'x'.repeat(8_200) }],
    ['query', 'assistants_list', { colour: 'ä'.repeat(1_400) }],
  ])('refuses arguments that make its %s too long for the gateway', async (_, name, args) => {
    const { isError, texts } = await callTool(name, args);
    expect([isError, texts.join()]).toEqual([true, expect.stringContaining('an address of more than 8 KB')]);
  });

  it('names arguments that its operation does not know', async () => {
    const { texts } = await callTool('assistants_list', { limit: 1, colour: 'red' });
    expect(texts.at(-1)).toContain('x-ignored-fields: colour');
  });

  it('does not send a field that its schema leaves out, and says so', async () => {
    const webhook = { url: 'https://example.com/hook', events: ['*'], headers: { 'x-team': 'one' } };
    const { body } = await user.post<{ data: { id: string } }>('/webhooks', webhook);
    const webhook_id = body.data.id;
    const headers = { authorization: 'Bearer secret' };
    const { texts } = await callTool('webhooks_update', { webhook_id, description: 'Ours', headers });
    expect(texts.at(-1)).toContain('Not sent, because this tool does not take it: headers');
    const read = await user.get<{ data: object }>(`/webhooks/${webhook_id}`);
    expect(read.body.data).toMatchObject({ description: 'Ours', headers: ['x-team'] });
  });

  it.skipIf(deployed)('acts in the workspace that the header chooses', async () => {
    const orgs = [createWorkspaceId(), createWorkspaceId()];
    const member = await createMember({ org: orgs, workspace: orgs[1] ?? '' });
    const { texts } = await callTool('protected_check', {}, member);
    expect(parse<{ data: object }>(texts).data).toMatchObject({ workspace: orgs[1] });
  });

  it('cuts an answer after 64 KB, and says how to read on', async () => {
    const system_instruction = 'ä🙂'.repeat(16_000);
    const { body } = await createAssistant(user, { system_instruction });
    const { texts, isError } = await callTool('assistants_get', { assistant_id: body.id });
    expect(isError).toBe(false);
    expect(Buffer.byteLength(texts[0] ?? '')).toBeGreaterThan(64 * 1024 - 4);
    expect(Buffer.byteLength(texts[0] ?? '')).toBeLessThanOrEqual(64 * 1024);
    expect(texts[0]).not.toContain('\ufffd');
    expect(texts[1]).toContain('This answer was cut after 64 KB');
  });

  it('can do what its key can, and no more', async () => {
    const reader = await createWorker(user, ['read']);
    const { body } = await createAssistant(user);
    expect(await callTool('assistants_get', { assistant_id: body.id }, reader)).toMatchObject({ isError: false });
    for (const [name, args] of [
      ['assistants_delete', { assistant_id: body.id }],
      ['assistants_create', minimal],
      ['logs_create', { assistant_id: body.id, room_name: 'r', transcript: [] }],
      ['completions_create', { model: body.id, messages: [{ role: 'user', content: 'Hello' }] }],
      ['events_list', {}],
      ['api-keys_list', {}],
    ] as const) {
      const { isError, texts } = await callTool(name, args, reader);
      expect([name, isError, texts[0]]).toEqual([name, true, expect.stringContaining('insufficient_scope')]);
    }
    const stranger = await createUser();
    const other = await callTool('assistants_get', { assistant_id: body.id }, stranger);
    expect(other.texts[0]).toContain('not_found');
    expect((await user.get(`/assistants/${body.id}`)).status).toBe(200);
  });
});

describe('POST /mcp', () => {
  it('answers in JSON, whatever the client accepts', async () => {
    const reply = await user.post('/mcp', list, { accept: 'text/html' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } });
  });

  it('answers a notification with 202 and no body', async () => {
    const reply = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([reply.status, reply.text]).toEqual([202, '']);
  });

  it('works at a path with a stage and a slash at its end, too', async () => {
    const call = { ...list, method: 'tools/call', params: { name: 'protected_check', arguments: {} } };
    for (const path of deployed ? ['/mcp/'] : ['/mcp/', '/dev/mcp', '/dev/mcp/']) {
      const reply = await post(call, path);
      expect([path, reply.status, JSON.stringify(reply.body)]).toEqual([path, 200, expect.stringContaining(user.sub)]);
    }
  });

  it('reaches its own API by the protocol of the gateway, whatever the client claims', async () => {
    const call = { ...list, method: 'tools/call', params: { name: 'protected_check', arguments: {} } };
    const reply = await user.post('/mcp', call, { 'x-forwarded-proto': 'https' });
    expect(JSON.stringify(reply.body)).toContain(user.sub);
  });

  it.skipIf(deployed)('sends the token to its own API only, whatever `Host` the client claims', async () => {
    const seen: unknown[] = [];
    const foreign = createServer(({ headers }, response) => {
      seen.push(headers);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    const { port } = foreign.address() as AddressInfo;
    const call = { ...list, method: 'tools/call', params: { name: 'protected_check', arguments: {} } };
    const headers = {
      host: `127.0.0.1:${port}`,
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
    };
    const request = requestHttp(`${user.baseUrl}/mcp`, { method: 'POST', headers }).end(JSON.stringify(call));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([JSON.stringify(await json(response)), seen]).toEqual([expect.stringContaining(user.sub), []]);
    foreign.close();
  });

  it.each([
    ['a batch', [list, list], 'body: dict_type'],
    ['text', '"tools/list"', 'body: dict_type'],
    ['broken JSON', '{"jsonrpc": ', 'body: json_invalid'],
    ['no method', { jsonrpc: '2.0', id: 1 }, 'body.method: missing'],
    ['another version of JSON-RPC', { ...list, jsonrpc: '1.0' }, 'body.jsonrpc: literal_error'],
    ['a list of parameters', { ...list, params: [1] }, 'body.params: dict_type'],
    [
      'parameters with more than 1,000 values',
      { ...list, method: 'initialize', params: { clientInfo: { icons: Array(1_000).fill(1) } } },
      'body.params: too_many_values',
    ],
    [
      'parameters of more than 131,072 characters, which errors would quote twice',
      { ...list, method: 'tools/call', params: { name: 'x'.repeat(131_072) } },
      'body.params: string_too_long',
    ],
  ])('refuses %s', async (_, body, fault) => {
    const reply = await post(body);
    expect([reply.status, listFaults(reply)]).toEqual([422, [fault]]);
  });

  it.each([
    ['an unknown method', { method: 'tools/burn' }, -32601],
    ['a call without a name', { method: 'tools/call', params: { arguments: {} } }, -32602],
    ['a session without parameters', { method: 'initialize' }, -32602],
    ['a list after what is no cursor', { params: { cursor: 5 } }, -32602],
    ['a session without a revision', { method: 'initialize', params: { cursor: 'x' } }, -32602],
  ])('answers %s by an error of JSON-RPC', async (_, fields, code) => {
    expect((await post({ ...list, ...fields })).body).toMatchObject({ id: 1, error: { code } });
  });

  it('answers wrong parameters by an error of the client in the revision without sessions, too', async () => {
    const revision = '2026-07-28';
    const meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': revision, 'mcp-method': 'tools/list' };
    const listAfter = (cursor: unknown) =>
      user.post('/mcp', { ...list, params: { _meta: meta, ...(cursor !== undefined && { cursor }) } }, headers);
    expect((await listAfter(5)).body).toMatchObject({ id: 1, error: { code: -32602 } });
    expect((await listAfter(undefined)).body).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
    headers['mcp-protocol-version'] = '2027-01-01';
    meta['io.modelcontextprotocol/protocolVersion'] = '2027-01-01';
    expect((await listAfter(5)).body).toMatchObject({
      error: { code: -32022, data: { supported: expect.any(Array) } },
    });
  });

  it('answers a ping, whatever its parameters', async () => {
    expect((await post({ ...list, method: 'ping', params: { cursor: 5 } })).body).toMatchObject({ id: 1, result: {} });
  });

  it('answers no notification, whatever its parameters', async () => {
    const { id: _, ...notification } = list;
    const reply = await post({ ...notification, method: 'initialize', params: { cursor: 5 } });
    expect([reply.status, reply.body]).toEqual([202, undefined]);
  });

  it('never opens a stream of changes', async () => {
    const client = await connectMcp(user, 'modern');
    await expect(
      client.request({ method: 'subscriptions/listen', params: { notifications: {} } } as never),
    ).rejects.toThrow();
    await client.close();
  });

  it('refuses a message of more than 1 MB', async () => {
    const reply = await post({ ...list, params: { text: 'x'.repeat(1_100_000) } });
    expect([reply.status, listFaults(reply)]).toEqual([413, ['body: too_large']]);
  });

  it('needs a token', async () => {
    const nobody = createClient('', 'va_nobody', user.baseUrl);
    expect((await post(list, '/mcp', nobody)).status).toBe(401);
  });

  it('has no other methods', async () => {
    for (const reply of [await user.get('/mcp'), await user.delete('/mcp')]) {
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
    }
  });
});

describe('a request to the own API', () => {
  /** Calls an operation of an API that answers by `listener`. */
  async function callFake(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev`;
    const request = { method: 'GET', path: '/things', query: [], hasBody: false, dropped: [], headers: {} };
    const answer = await callOperation({ url, headers: { authorization: 'Bearer secret' } }, request, {});
    server.closeAllConnections();
    server.close();
    return answer;
  }

  it('does not follow a redirect', async () => {
    const seen: string[] = [];
    const answer = await callFake((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect([seen, answer]).toEqual([['/dev/things'], { isError: true, texts: ['HTTP status 302'] }]);
  });

  it.each([
    ['false', ['Do not send it again: it may have had effects, or will fail again']],
    ['true', []],
  ])('tells a model if its answer has x-should-retry: %s', async (value, notes) => {
    const answer = await callFake((_, response) => response.writeHead(503, { 'x-should-retry': value }).end());
    expect(answer).toEqual({ isError: true, texts: [['HTTP status 503', ...notes].join('\n')] });
  });

  it('becomes an error that a model can read if the connection breaks', async () => {
    const answer = await callFake((request) => request.socket.destroy());
    expect(answer).toEqual({ isError: true, texts: ['The connection broke, try again'] });
  });
});
