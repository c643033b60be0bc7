import { afterAll, describe, expect, inject, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { RuntimeConfig, ToolAnswer } from '../../shared/schemas/runtime-config.ts';
import { createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant, minimal } from '../support/assistants.ts';
import { upload } from '../support/knowledge-bases.ts';
import { answer, failures, startReceiver } from '../support/receiver.ts';

const user = await createUser();
const worker = await createWorker(user, ['runtime']);
const receiver = await startReceiver();
const { origin } = new URL(receiver.url);
afterAll(() => receiver.stop());
const canary = 'sk-canary-of-the-orders';
await user.post('/user-credentials', { service_type: 'orders', api_key: canary });

const parameters = {
  type: 'object',
  properties: { order_id: { type: 'string', maxLength: 40 }, lines: { type: 'integer' } },
  required: ['order_id'],
};
const buildTool = (http: object = {}, fields: object = {}) => ({
  type: 'http',
  name: 'find_order',
  description: 'Looks an order up',
  parameters,
  http: { url: 'https://api.example.com/orders/{order_id}', ...http },
  ...fields,
});
const orders = { service_type: 'Orders' };

const save = (fields: object) => user.post<Assistant>('/assistants', { ...minimal, ...fields });

describe('tools of an assistant', () => {
  it('are returned with their defaults, and sending them back changes nothing', async () => {
    const tools = [
      buildTool({ credential: orders }),
      { type: 'search' },
      { type: 'client', name: 'open_door', description: 'Opens the door' },
      { type: 'transfer', destinations: [{ to: 'tel:+4930123456', when: 'asks for a person' }] },
      { type: 'end_call' },
    ];
    const mcp_servers = [{ name: 'crm', url: 'https://mcp.example.com/mcp', credential: orders }];
    const { status, body, headers } = await save({ tools, mcp_servers, timezone: 'Europe/Berlin' });
    expect(status).toBe(200);
    expect(body.tools[0]).toEqual({
      ...buildTool(),
      http: {
        method: 'GET',
        url: 'https://api.example.com/orders/{order_id}',
        query: {},
        headers: {},
        timeout_seconds: 10,
        credential: { service_type: 'orders', name: null, header: 'authorization', prefix: 'Bearer ' },
      },
      say: { start: null, failure: null },
    });
    expect(body.tools.map(({ name }) => name)).toEqual([
      'find_order',
      'search_knowledge',
      'open_door',
      'transfer_call',
      'end_call',
    ]);
    expect(body.mcp_servers[0]).toMatchObject({ transport: 'streamable_http', allowed_tools: null });
    const same = await user.put<Assistant>(`/assistants/${body.id}`, body);
    expect([same.headers.get('etag'), same.body]).toEqual([headers.get('etag'), body]);
    const cleared = await user.put<Assistant>(`/assistants/${body.id}`, { tools: null, timezone: null });
    expect(cleared.body).toMatchObject({ tools: [], timezone: 'UTC', mcp_servers: body.mcp_servers, variables: null });
  });

  it.each<[what: string, fields: object, faults: string[]]>([
    ['a name of another rule', { tools: [buildTool({}, { name: 'find order' })] }, ['body.tools.0.name: tool_name']],
    [
      'a name twice',
      { tools: [buildTool(), buildTool({}, { name: 'FIND_order' })] },
      ['body.tools.1.name: duplicate_name'],
    ],
    ['an unknown type', { tools: [{ type: 'shell', name: 'x' }] }, ['body.tools.0.type: literal_error']],
    [
      'a placeholder that is no parameter',
      { tools: [buildTool({ url: 'https://api.example.com/{x}' })] },
      ['body.tools.0.http.url: placeholder'],
    ],
    [
      'a placeholder in the host',
      { tools: [buildTool({ url: 'https://{order_id}.example.com/' })] },
      ['body.tools.0.http.url: placeholder'],
    ],
    [
      'a private address',
      { tools: [buildTool({ url: 'https://169.254.169.254/{order_id}' })] },
      ['body.tools.0.http.url: forbidden_address'],
    ],
    [
      'an MCP server on this network',
      { mcp_servers: [{ name: 'x', url: 'https://crm.internal/mcp' }] },
      ['body.mcp_servers.0.url: forbidden_address'],
    ],
    [
      'a secret in a header',
      { tools: [buildTool({ headers: { 'X-Api-Key': 'sk-1' } })] },
      ['body.tools.0.http.headers.X-Api-Key: secret_in_plain'],
    ],
    [
      'a secret in the query',
      { tools: [buildTool({ query: { access_token: 'x' } })] },
      ['body.tools.0.http.query.access_token: secret_in_plain'],
    ],
    [
      'a query that fills the URL',
      {
        tools: [buildTool({ query: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [i, 'x'.repeat(1_000)])) })],
      },
      ['body.tools.0.http.query: too_long'],
    ],
    [
      'a secret in the URL',
      { tools: [buildTool({ url: 'https://api.example.com/?api_key=x' })] },
      ['body.tools.0.http.url: secret_in_plain'],
    ],
    [
      'a header that splits the request',
      { tools: [buildTool({ headers: { 'x-a': 'a\r\nhost: b' } })] },
      ['body.tools.0.http.headers.x-a: header_value'],
    ],
    [
      'parameters that are no object',
      { tools: [buildTool({}, { parameters: { type: 'string' } })] },
      ['body.tools.0.parameters: parameters'],
    ],
    [
      'a reference',
      { tools: [buildTool({}, { parameters: { ...parameters, $ref: 'https://example.com' } })] },
      ['body.tools.0.parameters.$ref: parameters'],
    ],
    ['a timezone that is none', { timezone: 'Europe/Atlantis' }, ['body.timezone: timezone']],
    ['a variable with a built-in name', { variables: { now: {} } }, ['body.variables: variables']],
    [
      'a template that does not end',
      { variables: {}, system_instruction: 'a\n{% if x %}' },
      ['body.system_instruction: template_error'],
    ],
    [
      'a template that includes a file',
      { variables: {}, first_message: '{% include "/etc/passwd" %}' },
      ['body.first_message: template_error'],
    ],
  ])('with %s are refused', async (_, fields, faults) => {
    const reply = await save(fields);
    expect([reply.status, listFaults(reply)]).toEqual([422, faults]);
  });

  it('with a schema of nine levels are refused', async () => {
    let schema: object = { type: 'string' };
    for (let level = 0; level < 9; level++) schema = { type: 'object', properties: { a: schema } };
    const reply = await save({ tools: [buildTool({ url: 'https://api.example.com' }, { parameters: schema })] });
    expect(reply.status).toBe(422);
    expect(reply.text).toContain('at most eight levels');
  });

  it('leave braces alone without variables', async () => {
    const text = 'Say {{hello}} {% nothing %}';
    const { body } = await save({ system_instruction: text });
    const { body: config } = await worker.get<{ data: RuntimeConfig }>(`/assistants/${body.id}/runtime-config`);
    expect(config.data.rendered).toEqual({ system_instruction: text, first_message: body.first_message, missing: [] });
  });
});

const templated = {
  variables: {
    customer: { default: 'there', description: 'How to address them' },
    order_id: { required: true },
    note: {},
  },
  timezone: 'Pacific/Kiritimati',
  system_instruction:
    'You talk to {{ customer }} about {{ order_id }} ({{ note }}), {{ call.from }}, {{ assistant.name }}, {{ year }}.',
  first_message: 'Hello {{ customer | upcase }}!',
  tools: [
    buildTool(
      { credential: orders, headers: { 'x-customer': '{{ customer }}' } },
      { say: { start: 'One moment, {{ customer }}' } },
    ),
  ],
};

describe('a template that reads a name which nobody declared', () => {
  const getUnknown = ({ headers }: Reply) => headers.get('x-template-unknown');

  it('is saved, and names it in a header', async () => {
    const tools = [
      buildTool({ query: { a: '{{ ördered }}' } }, { say: { start: '{{ call.form }} {{ assistant.nmae }}' } }),
    ];
    const created = await save({ ...templated, first_message: '{{ custmer }} {{ custmer.name }}', tools });
    const names = ['custmer', 'custmer.name', 'call.form', 'assistant.nmae', 'ördered'];
    expect([created.status, getUnknown(created)]).toEqual([200, names.map(encodeURIComponent).join(', ')]);
    const path = `/assistants/${created.body.id}`;
    const { first_message } = templated;
    expect(getUnknown(await user.put(path, { first_message, tools: [] }))).toBeNull();
    expect(getUnknown(await user.put(path, { variables: null, first_message: '{{ custmer }}' }))).toBeNull();
  });

  it('may read all that is built in, what it sets itself, and names of objects', async () => {
    const calls = ['room_name', 'participant_name', 'from', 'to', 'direction'].map((fact) => `{{ call.${fact} }}`);
    const text = `${calls.join()} {{ now }} {{ date }} {{ time }} {% assign a = 1 %}{{ a }} {% for b in note %}{{ b }}{% endfor %}`;
    expect(getUnknown(await save({ ...templated, first_message: text }))).toBeNull();
    const odd = await save({ ...templated, first_message: '{{ constructor }} {{ __proto__ }} {{ call.toString }}' });
    expect(getUnknown(odd)).toBe('constructor, __proto__, call.toString');
  });

  it('cannot make the header long', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `{{ name_${i} }}`);
    const reply = await save({ ...templated, first_message: null, system_instruction: names.join(' ') });
    expect(reply.status).toBe(200);
    expect(getUnknown(reply)?.length).toBeLessThanOrEqual(1_000);
    const long = await save({ ...templated, first_message: `{{ ${'a'.repeat(1_100)} }}` });
    expect([long.status, getUnknown(long)]).toEqual([200, null]);
  });
});

describe('starting a call', () => {
  it('returns the texts rendered for it, the tools with their keys, and functions for the model', async () => {
    const { body } = await createAssistant(user, templated);
    const reply = await worker.post<{ data: RuntimeConfig }>(`/assistants/${body.id}/runtime-config`, {
      call: { from: '+49 30 1' },
      variables: { order_id: '{{ now }}', customer: 'Zoë' },
    });
    expect(reply.status).toBe(200);
    const { rendered, tools, functions } = reply.body.data;
    const year = new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Kiritimati', year: 'numeric' }).format(new Date());
    expect(rendered).toEqual({
      system_instruction: `You talk to Zoë about {{ now }} (), +49 30 1, ${minimal.name}, ${year}.`,
      first_message: 'Hello ZOË!',
      missing: ['note'],
    });
    // ë is no character of a header
    expect(tools[0]).toMatchObject({
      http: null,
      unavailable: { type: 'invalid_header' },
      say: { start: 'One moment, Zoë' },
    });
    expect(functions).toEqual([]);
    const ascii = await worker.post<{ data: RuntimeConfig }>(`/assistants/${body.id}/runtime-config`, {
      variables: { order_id: '7', customer: 'Ann' },
    });
    expect(ascii.body.data.tools[0]?.http?.headers).toEqual({ 'x-customer': 'Ann', authorization: `Bearer ${canary}` });
    expect(ascii.body.data.functions).toEqual([
      { type: 'function', name: 'find_order', description: 'Looks an order up', parameters },
    ]);
  });

  it('uses the credential that a tool names, and the attached knowledge', async () => {
    await user.post('/user-credentials', { service_type: 'orders', name: 'second', api_key: 'sk-second' });
    const credential = { service_type: 'orders', name: 'second' };
    const { body } = await createAssistant(user, { tools: [buildTool({ credential })] });
    const { body: document } = await upload(user, 'The clinic opens at eight.');
    await user.put(`/assistants/${body.id}/knowledge-bases/${document.data.id}`, undefined);
    const { data } = (await worker.post<{ data: RuntimeConfig }>(`/assistants/${body.id}/runtime-config`, {})).body;
    expect(data.functions.map(({ name }) => name)).toEqual(['find_order', 'search_knowledge']);
    expect(data.tools[0]?.http?.headers.authorization).toBe('Bearer sk-second');
    await user.delete('/user-credentials/orders?name=second');
  });

  it('names all required variables that are missing at once', async () => {
    const variables = { a: { required: true }, b: { required: true, default: 'x' }, c: {} };
    const { body } = await createAssistant(user, { variables });
    const reply = await worker.post(`/assistants/${body.id}/runtime-config`, {});
    expect([reply.status, listFaults(reply)]).toEqual([
      422,
      ['body.variables.a: missing', 'body.variables.b: missing'],
    ]);
  });

  it('hands out no key of a tool that the service is to run', async () => {
    const { body } = await createAssistant(user, templated);
    const path = `/assistants/${body.id}/runtime-config`;
    const mine = await worker.get<{ data: RuntimeConfig }>(path);
    const remote = await worker.get<{ data: RuntimeConfig }>(`${path}?tools=remote`);
    expect(mine.text).toContain(canary);
    expect(remote.text).not.toContain(canary);
    expect(remote.body.data.functions).toHaveLength(1);
    expect(remote.headers.get('etag')).not.toBe(mine.headers.get('etag'));
    expect((await worker.get(path, { 'if-none-match': mine.headers.get('etag') ?? '' })).status).toBe(304);
    expect((await worker.get(`${path}?tools=both`)).status).toBe(422);
  });

  it('keeps a tool without its credential, but not among the functions', async () => {
    const credential = { service_type: 'nothing-saved' };
    const { body } = await createAssistant(user, { tools: [buildTool({ credential })] });
    const { data } = (await worker.get<{ data: RuntimeConfig }>(`/assistants/${body.id}/runtime-config`)).body;
    expect(data.tools[0]).toMatchObject({ http: null, unavailable: { type: 'missing' } });
    expect(data.functions).toEqual([]);
  });
});

describe('calling a tool', () => {
  const createTool = async (http: object = {}, fields: object = {}) => {
    const tool = buildTool({ url: `${origin}/orders/{order_id}`, credential: orders, ...http });
    const { body, status, text } = await createAssistant(user, { tools: [tool], ...fields });
    expect(status, text).toBe(200);
    return (body_: object) => worker.post<{ data: ToolAnswer }>(`/assistants/${body.id}/tools/find_order/call`, body_);
  };

  it('sends its request with the stored key, which is in no answer', async () => {
    receiver.script = answer(404, '{"known":false}');
    const call = await createTool({ query: { lang: 'de' } });
    const reply = await call({ arguments: { order_id: 'a/b?c', lines: 2 }, call_id: 'call_1' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ status: 404, result: { known: false }, error: null, truncated: false });
    expect(reply.text).not.toContain(canary);
    expect(receiver.requests.at(-1)).toMatchObject({
      path: '/orders/a%2Fb%3Fc?lang=de&lines=2',
      headers: { authorization: `Bearer ${canary}`, 'idempotency-key': 'call_1' },
    });
  });

  it.each([
    ['JSON', `{"you":{"sent":["Bearer ${canary}"]},"n":1}`, { you: { sent: ['Bearer ****'] }, n: 1 }],
    ['escaped JSON', `{"sent":"\\u0073${canary.slice(1)}"}`, { sent: '****' }],
    ['JSON within JSON', JSON.stringify({ raw: `{"sent":"\\u0073${canary.slice(1)}"}` }), { raw: '{"sent":"****"}' }],
    ['text', `Bearer ${canary}!`, 'Bearer ****!'],
    ['text that is cut', `${'x'.repeat(65_530)}${canary}`, expect.stringMatching(/^x{64000,}$/)],
  ])('hides its key if the API repeats it: %s', async (_, repeated, result) => {
    receiver.script = answer(200, repeated);
    const call = await createTool();
    const reply = await call({ arguments: { order_id: '7' } });
    expect(reply.body.data).toMatchObject({ status: 200, result });
    expect(reply.text).not.toContain(canary);
  });

  it.skipIf(deployed)('cannot reach the services of the local host', async () => {
    const call = await createTool({ url: `${inject('s3')}/${inject('bucketName')}`, query: { 'list-type': '2' } });
    const { data } = (await call({ arguments: { order_id: '7' } })).body;
    expect(data).toMatchObject({ status: 403, result: expect.stringContaining('<Code>AccessDenied</Code>') });
  });

  it('sends the arguments of a POST as JSON, with the credential that it names', async () => {
    receiver.script = answer(200, 'booked');
    const credential = { service_type: 'orders', name: 'default' };
    const call = await createTool({ method: 'POST', url: `${origin}/orders`, credential });
    const { data } = (await call({ arguments: { order_id: '7' } })).body;
    expect(data).toMatchObject({ status: 200, result: 'booked' });
    expect(JSON.parse(receiver.requests.at(-1)?.body ?? '')).toEqual({ order_id: '7' });
  });

  it.each(['..', '.', '../..'])('never leaves the path of its URL: %s', async (order_id) => {
    const call = await createTool();
    const before = receiver.requests.length;
    const reply = await call({ arguments: { order_id } });
    if (reply.status === 422) expect(listFaults(reply)).toEqual(['body.arguments: argument']);
    else expect(receiver.requests.at(-1)?.path).toMatch(/^\/orders\/[^/]+$/);
    expect(receiver.requests.length - before).toBe(reply.status === 422 ? 0 : 1);
  });

  it('refuses arguments that do not fit its parameters', async () => {
    const call = await createTool();
    const reply = await call({ arguments: { lines: 'two' } });
    expect([reply.status, listFaults(reply).sort()]).toEqual([
      422,
      ['body.arguments.lines: argument', 'body.arguments: argument'],
    ]);
  });

  it.each(Object.entries(failures))('returns a result if the API fails: %s', async (_, fail) => {
    receiver.script = fail;
    const call = await createTool({ timeout_seconds: 1 });
    const { status, body } = await call({ arguments: { order_id: '7' } });
    expect(status).toBe(200);
    expect(typeof body.data.error === 'string' || typeof body.data.status === 'number').toBe(true);
  });

  it('says so if its credential is missing, the tool is unknown or of another type', async () => {
    const missing = await createTool({ credential: { service_type: 'nothing-saved' } });
    expect((await missing({ arguments: { order_id: '7' } })).body.data).toMatchObject({
      status: null,
      error: 'missing',
    });
    const { body } = await createAssistant(user, { tools: [{ type: 'end_call' }] });
    expect((await worker.post(`/assistants/${body.id}/tools/unknown/call`, {})).status).toBe(404);
    const other = await worker.post(`/assistants/${body.id}/tools/end_call/call`, {});
    expect([other.status, listFaults(other)]).toEqual([422, ['path.tool_name: tool_type']]);
  });
});
