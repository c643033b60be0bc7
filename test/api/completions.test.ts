import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { ChatCompletion, ChatFacts } from '../../shared/schemas/chat.ts';
import type { Log } from '../../shared/schemas/log.ts';
import type { Session } from '../../shared/schemas/session.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { listObjectFiles } from '../support/files.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { type Answer, answer, failures, startReceiver } from '../support/receiver.ts';
import {
  answerModel,
  eventStream,
  inTurn,
  listEvents,
  type ModelAnswer,
  type ModelCall,
  stream,
} from '../support/vendor.ts';

const user = await createUser();
const vendor = await startReceiver();
afterAll(() => vendor.stop());
const base_url = vendor.url.replace(/\/hook$/, '/v1');
const canary = 'sk-canary-of-the-language-model';
await user.post('/user-credentials', { service_type: 'openai', api_key: canary });

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = answerModel({ text: 'Hello there!' });
});

const save = async (fields: object = {}, llm: object = {}): Promise<Assistant> => {
  const body = {
    ...minimal,
    first_message: 'Clinic, good day.',
    llm: { model: 'gpt-4.1-mini', base_url, ...llm },
    ...fields,
  };
  return (await user.post<Assistant>('/assistants', body)).body;
};

const openai = new OpenAI({ baseURL: user.baseUrl, apiKey: user.token, maxRetries: 0 });

const hello = [{ role: 'user' as const, content: 'Hello' }];
const sent = (i = 0) => JSON.parse(vendor.requests[i]?.body ?? '{}');
const { id } = await save({ name: 'Receptionist', system_instruction: 'You answer.' }, { temperature: 0.3 });

type Facts = { voice_assistants: ChatFacts };

/** Sends a request once, since a vendor may be busy on purpose. */
async function chat(body: object, client = user) {
  const response = await fetch(`${client.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: hello, ...body }),
  });
  const text = await response.text();
  const parsed: ChatCompletion & OpenAiErrorBody = text.startsWith('{') ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, body: parsed };
}

interface OpenAiErrorBody {
  error: { message: string; type: string; code: string; param: string | null };
}

type Sessions = { data: { sessions: Session[] } };
type SessionReply = { data: { session: Session & { usage: object[] }; logs: Log[] } };

/** Reads a streamed answer whole: its events, parsed, without comments and `[DONE]`. */
async function readStream(body: object) {
  const { status, text, headers } = await chat({ stream: true, ...body });
  const events = text.split('\n\n').filter((event) => event.startsWith('data: ') && !event.includes('[DONE]'));
  const chunks = events.map((event) => JSON.parse(event.slice(6)));
  const pieces = chunks.map((chunk): unknown => chunk.choices?.[0]?.delta?.content);
  const content = pieces.filter((piece) => typeof piece === 'string').join('');
  return { status, headers, text, chunks, content, last: chunks.at(-1), isDone: text.endsWith('data: [DONE]\n\n') };
}

describe('a chat with an assistant', () => {
  it("is answered by the assistant's vendor, with its prompt and the user's key", async () => {
    const completion = await openai.chat.completions.create({ model: id, messages: hello });
    expect(completion.choices[0]?.message.content).toBe('Hello there!');
    expect(completion).toMatchObject({ model: id, object: 'chat.completion', usage: { total_tokens: 25 } });
    expect((completion as unknown as Facts).voice_assistants).toEqual({
      assistant_id: id,
      version: null,
      session_id: null,
      tool_results: [],
      passages: [],
    });
    expect(vendor.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${canary}` },
    });
    expect(sent()).toEqual({
      model: 'gpt-4.1-mini',
      temperature: 0.3,
      messages: [
        { role: 'system', content: 'You answer.' },
        { role: 'assistant', content: 'Clinic, good day.' },
        ...hello,
      ],
    });
  });

  it('finds the assistants in the list of models, newest first', async () => {
    const newcomer = await createUser();
    const client = new OpenAI({ baseURL: newcomer.baseUrl, apiKey: newcomer.token, maxRetries: 0 });
    expect((await client.models.list()).data).toEqual([]);
    const { body: first } = await newcomer.post<Assistant>('/assistants', { ...minimal, name: 'First' });
    const { body: second } = await newcomer.post<Assistant>('/assistants', { ...minimal, name: 'Second' });
    const created = Math.floor(Date.parse(String(first.created_at)) / 1000);
    const model = { object: 'model', created: expect.any(Number), owned_by: 'voice-assistants' };
    expect((await client.models.list()).data).toEqual([
      { ...model, id: second.id, name: 'Second' },
      { ...model, id: first.id, name: 'First', created },
    ]);
    const [reader, talker] = await Promise.all([createWorker(newcomer, ['read']), createWorker(newcomer, ['chat'])]);
    const refused = await reader.get<OpenAiErrorBody>('/models');
    expect([refused.status, refused.body.error.type]).toEqual([403, 'permission_error']);
    expect((await talker.get('/models')).status).toBe(200);
  });

  it('comes in pieces as the vendor sends them', async () => {
    const pieces = listEvents({ text: 'One, two.' });
    let proceed = () => {};
    vendor.script = async (response) => {
      response.writeHead(200, eventStream);
      for (const piece of pieces) {
        const read = new Promise<void>((resolve) => {
          proceed = resolve;
        });
        response.write(piece);
        if (piece.includes('"content":"') && !piece.includes('"content":""')) await read; // until the client has this piece
      }
      response.end();
    };
    const stream = await openai.chat.completions.create({
      model: id,
      messages: hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
      if (chunk.choices[0]?.delta.content) proceed();
    }
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('One, two.');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 25 } });
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ finish_reason: 'stop' }],
      voice_assistants: { assistant_id: id, session_id: null },
    });
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(1);
    expect(new Set(chunks.map(({ model }) => model))).toEqual(new Set([id]));
  });

  it('passes what it does not know on to the vendor, unchanged', async () => {
    const values = fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true, min: -1e6, max: 1e6 }), fc.boolean());
    const names = fc.stringMatching(/^x_[a-z0-9_]{1,20}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(names, fc.oneof(values, fc.array(values), fc.dictionary(names, values))),
        async (fields) => {
          const parameters = JSON.parse(JSON.stringify(fields));
          vendor.requests.length = 0;
          const { status } = await chat({ model: id, ...parameters, reasoning_effort: 'low', temperature: 1 });
          expect(status).toBe(200);
          expect(sent()).toMatchObject({ ...parameters, reasoning_effort: 'low', temperature: 1 });
        },
      ),
      { numRuns: 20 },
    );
    expect(Object.keys(sent())).not.toContain('execute_tools');
  });

  it('fills the variables of the prompt in, and names those that are missing', async () => {
    const variables = { customer: { required: true } };
    const assistant = await save({ system_instruction: 'You talk to {{ customer }}.', variables });
    const { status, body } = await chat({ model: assistant.id, variables: { customer: 'Ada {{ now }}' } });
    expect([status, sent().messages[0].content]).toEqual([200, 'You talk to Ada {{ now }}.']);
    expect(body.choices).toHaveLength(1);
    const refused = await chat({ model: assistant.id });
    expect([refused.status, listFaults(refused)]).toEqual([422, ['body.variables.customer: missing']]);
  });

  it('keeps the messages of the client, and greets only at the beginning', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
    ];
    await chat({ model: id, messages });
    expect(sent().messages).toEqual([{ role: 'system', content: 'You answer.' }, ...messages]);
  });

  it('has the draft, the live version or any other', async () => {
    const assistant = await save({ system_instruction: 'First.' });
    await user.post(`/assistants/${assistant.id}/versions`, {});
    await user.put(`/assistants/${assistant.id}`, { system_instruction: 'Second.' });
    const answers = [];
    for (const version of ['', '@live', '@1', '@draft']) {
      const { body } = await chat({ model: assistant.id + version });
      answers.push([body.voice_assistants.version, sent(answers.length).messages[0].content]);
    }
    expect(answers).toEqual([
      [1, 'First.'],
      [1, 'First.'],
      [1, 'First.'],
      [null, 'Second.'],
    ]);
    const missing = await chat({ model: `${assistant.id}@2` });
    expect([missing.status, listFaults(missing)]).toEqual([404, ['body.model: not_found']]);
  });

  it('needs the scope chat, and is told in the journal', async () => {
    const [reader, talker] = await Promise.all([createWorker(user, ['read']), createWorker(user, ['chat'])]);
    const refused = await chat({ model: id }, reader);
    expect([refused.status, refused.body.error.type]).toEqual([403, 'permission_error']);
    expect((await chat({ model: id }, talker)).status).toBe(200);
    const { body } = await user.get<{ data: { events: { type: string; data: object }[] } }>(
      '/events?settled=false&type=completion.done',
    );
    expect(body.data.events.at(-1)?.data).toMatchObject({
      assistant_id: id,
      model: 'gpt-4.1-mini',
      finish_reason: 'stop',
      steps: 1,
      input_tokens: 20,
      output_tokens: 5,
      session_id: null,
    });
  });

  it('is told without the words of a vendor', async () => {
    const words = 'The caller said: my diagnosis';
    vendor.script = answer(200, JSON.stringify({ choices: [{ message: { content: 'Yes.' }, finish_reason: words }] }));
    expect((await chat({ model: id })).body.choices[0]).toMatchObject({ finish_reason: words });
    const { text } = await user.get('/events?settled=false&type=completion.done');
    expect(text).not.toContain(words);
    expect(JSON.parse(text).data.events.at(-1).data).toMatchObject({ finish_reason: 'other' });
  });
});

describe('a bad request of a chat', () => {
  it.each<[what: string, body: object, status: number, fault: string]>([
    ['no model', {}, 422, 'body.model: missing'],
    ['a model of the vendor', { model: 'gpt-4.1' }, 422, 'body.model: assistant_model'],
    ['an unknown assistant', { model: randomUUID() }, 404, 'body.model: not_found'],
    ['an unknown version', { model: `${id}@7` }, 404, 'body.model: not_found'],
    ['no message', { model: id, messages: [] }, 422, 'body.messages: too_short'],
    ['too many messages', { model: id, messages: Array(201).fill(hello[0]) }, 422, 'body.messages: too_long'],
    ['a message without a role', { model: id, messages: [{ content: 'x' }] }, 422, 'body.messages.0.role: missing'],
    ['several answers', { model: id, n: 2 }, 422, 'body.n: less_than_equal'],
    ['a session that is no id', { model: id, session_id: 'x' }, 422, 'body.session_id: uuid_parsing'],
  ])('is refused, and OpenAI clients can read why: %s', async (_, body, status, fault) => {
    const reply = await chat(body);
    expect([reply.status, listFaults(reply)]).toEqual([status, [fault]]);
    const [param, code] = fault.slice('body.'.length).split(': ');
    expect(reply.body.error).toMatchObject({ type: 'invalid_request_error', code, param });
    expect(vendor.requests).toHaveLength(0);
  });

  it('names the assistant of another user as it names an unknown one', async () => {
    const other = await createUser();
    const [foreign, unknown] = [await chat({ model: id }, other), await chat({ model: randomUUID() }, other)];
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
  });

  it('is an error of the client library', async () => {
    const request = openai.chat.completions.create({ model: randomUUID(), messages: hello });
    await expect(request).rejects.toThrow(OpenAI.NotFoundError);
  });
});

describe('tools in a chat', () => {
  const api = { method: 'POST', url: `${new URL(vendor.url).origin}/orders`, credential: { service_type: 'orders' } };
  const parameters = { type: 'object', properties: { order_id: { type: 'string' } }, required: ['order_id'] };
  const findOrder = { type: 'http', name: 'find_order', description: 'Finds an order', parameters, http: api };
  const clientTool = {
    type: 'function',
    function: { name: 'open_door', parameters: { type: 'object', properties: {} } },
  };

  let order = '{"state":"sent"}';

  /** Answers the tool's requests, and those for the model in turn. */
  const script = (...answers: ModelAnswer[]) => {
    let step = 0;
    vendor.script = (response, request, number) => {
      if (request.path?.startsWith('/orders')) return answer(200, order)(response, request, number);
      const next = answers[Math.min(step++, answers.length - 1)] ?? {};
      return answerModel(next)(response, request, number);
    };
  };
  const listModelRequests = () =>
    vendor.requests.filter(({ path }) => path !== '/orders').map(({ body }) => JSON.parse(body));

  it('are run by the service: an API with a key that the model never has', async () => {
    await user.post('/user-credentials', { service_type: 'orders', api_key: 'sk-canary-of-the-orders' });
    const assistant = await save({ tools: [findOrder, { type: 'end_call' }] });
    const call = { name: 'find_order', arguments: { order_id: '7' } };
    script({ calls: [call] }, { text: 'It was sent.' });
    const { body } = await chat({ model: assistant.id });
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It was sent.' } });
    const [result] = body.voice_assistants.tool_results;
    expect(result).toMatchObject({
      ...call,
      call_id: 'call_0',
      is_error: false,
      output: { status: 200, result: { state: 'sent' } },
    });
    expect(body).toMatchObject({ usage: { prompt_tokens: 40, prompt_tokens_details: { cached_tokens: 16 } } });
    const [first, second] = listModelRequests();
    expect(first.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      'find_order',
      'end_call',
    ]);
    expect(second.messages.slice(-2)).toMatchObject([
      { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'find_order' } }] },
      { role: 'tool', tool_call_id: 'call_0', content: JSON.stringify(result?.output) },
    ]);
    const asked = vendor.requests.find(({ path }) => path === '/orders');
    expect(asked).toMatchObject({
      headers: {
        authorization: 'Bearer sk-canary-of-the-orders',
        'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    expect(JSON.stringify(listModelRequests()) + JSON.stringify(body)).not.toContain('sk-canary');
  });

  it('have the values of the call in their texts', async () => {
    const named = {
      ...findOrder,
      http: { url: api.url, headers: { 'x-customer': '{{ customer }}' }, query: { at: '{{ call.from }}' } },
    };
    const assistant = await save({ tools: [named], variables: { customer: {} } });
    const call = { name: 'find_order', arguments: { order_id: '7' } };
    script({ calls: [call, call] }, { text: 'Both were sent.' });
    await chat({ model: assistant.id, variables: { customer: 'Ada' }, call: { from: '49305550142' } });
    const asked = vendor.requests.filter(({ path }) => path?.startsWith('/orders'));
    expect(asked.map(({ path, headers }) => [path, headers['x-customer']])).toEqual(
      Array(2).fill(['/orders?at=49305550142&order_id=7', 'Ada']),
    );
  });

  it('are run between the pieces of a stream', async () => {
    const assistant = await save({ tools: [findOrder] });
    script({ text: 'Wait. ', calls: [{ name: 'find_order', arguments: { order_id: '7' } }] }, { text: 'It was sent.' });
    const { content, chunks, last, isDone } = await readStream({ model: assistant.id, store: true });
    expect([content, isDone]).toEqual(['Wait. It was sent.', true]);
    const { body: stored } = await user.get<SessionReply>(`/logs/chat-logs/${last.voice_assistants.session_id}`);
    expect(stored.data.logs.at(-1)?.content).toBe('Wait. It was sent.'); // as the client has it, and sends it back
    expect(chunks.flatMap((chunk) => chunk.choices[0].delta.tool_calls ?? [])).toEqual([]);
    expect(chunks.flatMap((chunk) => chunk.voice_assistants?.tool ?? [])).toMatchObject([
      { name: 'find_order', arguments: { order_id: '7' }, output: { result: { state: 'sent' } } },
    ]);
    expect(last).toMatchObject({ choices: [{ finish_reason: 'stop' }], voice_assistants: { tool_results: [{}] } });
  });

  it('of the client and the call come back to the client, streamed or not', async () => {
    const assistant = await save({ tools: [findOrder, { type: 'end_call' }] });
    const calls = [
      { name: 'open_door', arguments: {} },
      { name: 'find_order', arguments: { order_id: '7' } },
      { name: 'end_call', arguments: {} },
    ];
    script({ calls });
    const stream = openai.chat.completions.stream({
      model: assistant.id,
      messages: hello,
      tools: [clientTool as never],
    });
    const whole = await openai.chat.completions.create({
      model: assistant.id,
      messages: hello,
      tools: [clientTool as never],
    });
    for (const completion of [whole, await stream.finalChatCompletion()]) {
      const [choice] = completion.choices;
      expect(choice?.finish_reason).toBe('tool_calls');
      const names = choice?.message.tool_calls?.map((call) => 'function' in call && call.function.name);
      expect(names).toEqual(['open_door', 'end_call']);
    }
    expect(vendor.requests.some(({ path }) => path === '/orders')).toBe(false);
  });

  it('may have one index for several calls in a stream, as some vendors send them', async () => {
    const assistant = await save({ tools: [findOrder] });
    const calls = ['7', '8'].map((order_id, i) => ({
      index: 0,
      id: `call_${i}`,
      type: 'function',
      function: { name: 'find_order', arguments: JSON.stringify({ order_id }) },
    }));
    const toPiece = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const reasoning = toPiece({ reasoning_content: 'Two orders.' });
    let step = 0;
    vendor.script = (response, request, number) => {
      if (request.path === '/orders') return answer(200, '{}')(response, request, number);
      const called = [reasoning, ...calls.map((call) => toPiece({ tool_calls: [call] })), toPiece({}, 'tool_calls')];
      const pieces = step++ === 0 ? called : listEvents({ text: 'Both.' });
      return stream(...pieces)(response, request, number);
    };
    const { content, last } = await readStream({ model: assistant.id });
    expect(content).toBe('Both.');
    expect(last.voice_assistants.tool_results).toMatchObject([
      { call_id: 'call_0', arguments: { order_id: '7' } },
      { call_id: 'call_1', arguments: { order_id: '8' } },
    ]);
    expect(listModelRequests()[1].messages.at(-3)).toMatchObject({ reasoning_content: 'Two orders.' });
  });

  it('that have run are not run again by a client that retries', async () => {
    const assistant = await save({ tools: [findOrder] });
    const clients = new OpenAI({ baseURL: user.baseUrl, apiKey: user.token, maxRetries: 2 });
    vendor.script = inTurn(
      answerModel({ calls: [{ name: 'find_order', arguments: { order_id: '7' } }] }),
      answer(200, '{}'),
      answer(500, 'broken'),
    );
    await expect(clients.chat.completions.create({ model: assistant.id, messages: hello })).rejects.toThrow('500');
    expect(vendor.requests.filter(({ path }) => path === '/orders')).toHaveLength(1);
  });

  it('are all left to the client if it wants that, or has one of the same name', async () => {
    const assistant = await save({ tools: [findOrder] });
    script({ calls: [{ name: 'find_order', arguments: { order_id: '7' } }] });
    const own = { type: 'function', function: { name: 'find_order', description: 'Mine', parameters } };
    for (const fields of [{ execute_tools: false }, { tools: [own] }]) {
      const { body } = await chat({ model: assistant.id, ...fields });
      expect(body.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: { tool_calls: [{}] } });
    }
    expect(listModelRequests()[1].tools).toEqual([own]);
  });

  it('that fail tell the model why', async () => {
    const assistant = await save({ tools: [findOrder] });
    const wrong: ModelCall[] = [
      { name: 'find_order', arguments: {} },
      { name: 'find_order', arguments: '{"order_id":' },
      { name: 'find_order', arguments: '[]' },
    ];
    script({ calls: wrong }, { text: 'Sorry.' });
    const { status, body } = await chat({ model: assistant.id });
    expect([status, body.voice_assistants.tool_results.map(({ is_error }) => is_error)]).toEqual([
      200,
      [true, true, true],
    ]);
    expect(vendor.requests.some(({ path }) => path === '/orders')).toBe(false);
  });

  it.each([100, 101, 4_384, 5_000, 20_000])('may have arguments and answers nested %i times', async (depth) => {
    await user.post('/user-credentials', { service_type: 'orders', api_key: 'sk-canary-of-the-orders' });
    const assistant = await save({ tools: [findOrder] });
    const nested = '['.repeat(depth - 1) + ']'.repeat(depth - 1);
    order = `{"state":${nested}}`;
    onTestFinished(() => {
      order = '{"state":"sent"}';
    });
    const call = { name: 'find_order', arguments: { order_id: '7' } };
    const deep = { name: 'find_order', arguments: `{"order_id":"7","x":${nested}}` };
    script({ calls: [call, ...Array(16).fill(deep)] }, { text: 'Found.' });
    const { status, body } = await chat({ model: assistant.id, store: true });
    const [result, ...others] = body.voice_assistants.tool_results;
    expect([status, result?.is_error, others[0]?.is_error, others[15]?.is_error]).toEqual([
      200,
      false,
      depth > 100,
      true,
    ]);
    expect(result?.output).toMatchObject({ result: depth > 100 ? order.slice(0, 65_536) : JSON.parse(order) });
    expect((await user.get(`/logs/chat-logs/${body.voice_assistants.session_id}`)).status).toBe(200);
  });

  it('end after eight steps, and only the first may be forced', async () => {
    const assistant = await save({ tools: [findOrder] });
    script({ calls: [{ name: 'find_order', arguments: { order_id: '7' } }] });
    const { body } = await chat({ model: assistant.id, tool_choice: 'required' });
    expect(listModelRequests().map(({ tool_choice }) => tool_choice)).toEqual(['required', ...Array(6), 'none']);
    expect(body.choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(body.voice_assistants.tool_results).toHaveLength(7);
  });

  it('are not called with more than a million characters', async () => {
    const assistant = await save({ tools: [findOrder] });
    script({ text: 'x'.repeat(300_000), calls: [{ name: 'find_order', arguments: { order_id: '7' } }] });
    const reply = await chat({ model: assistant.id });
    expect([reply.status, listFaults(reply)]).toEqual([502, ['service.vendor: vendor_unavailable']]);
    expect(listModelRequests()).toHaveLength(4);
  });

  it('give the model a million characters of results at most, escapes included', async () => {
    await user.post('/user-credentials', { service_type: 'orders', api_key: 'sk-canary-of-the-orders' });
    const assistant = await save({ tools: [findOrder] });
    const calls = Array(3).fill({ name: 'find_order', arguments: { order_id: '7' } });
    order = '\u0001'.repeat(60_000);
    onTestFinished(() => {
      order = '{"state":"sent"}';
    });
    script({ calls }, { calls }, { text: 'Found.' });
    const { status, body } = await chat({ model: assistant.id });
    const results = body.voice_assistants.tool_results;
    expect([status, results.map(({ is_error }) => is_error)]).toEqual([200, [false, false, ...Array(4).fill(true)]]);
    expect(JSON.stringify(listModelRequests()[2]).length).toBeLessThan(2_000_000);
    expect(listModelRequests()[2].messages.at(-1).content).toContain('more than 1,000,000 characters: ask for less');
  });

  /** Saves an assistant with a document. */
  async function saveReader() {
    const assistant = await save();
    const { id: document } = await uploadAndWait(user, '# Opening hours\n\nThe clinic opens at nine.', 'opening.md');
    await user.put(`/assistants/${assistant.id}/knowledge-bases/${document}`, {});
    return assistant;
  }

  it('search the attached knowledge, and the answer has the passages', async () => {
    const assistant = await saveReader();
    script({ calls: [{ name: 'search_knowledge', arguments: { query: 'opening hours' } }] }, { text: 'At nine.' });
    const { body } = await chat({ model: assistant.id });
    expect(body.voice_assistants.passages).toMatchObject([{ file_name: 'opening.md' }]);
    expect(listModelRequests()[1].messages.at(-1).content).toContain('opens at nine');
  });

  it('find nothing of a document that was deleted since the answer began', async () => {
    const assistant = await saveReader();
    const { body: before } = await user.get<Assistant>(`/assistants/${assistant.id}`);
    const search = { calls: [{ name: 'search_knowledge', arguments: { query: 'opening hours' } }] };
    let step = 0;
    vendor.script = async (response, request, number) => {
      step += 1;
      const [document] = before.attached_knowledge_bases;
      if (step === 2) await user.delete(`/assistants/knowledge-base/${document?.id}?force=true`);
      return answerModel(step < 3 ? search : { text: 'At nine.' })(response, request, number);
    };
    await chat({ model: assistant.id });
    const [found, after] = listModelRequests()
      .slice(1)
      .map(({ messages }) => JSON.parse(messages.at(-1).content).passages);
    expect([found, after]).toEqual([[expect.objectContaining({ file_name: 'opening.md' })], []]);
  });

  it('search 16 times in one answer at most', async () => {
    const assistant = await saveReader();
    const search = { name: 'search_knowledge', arguments: { query: 'opening hours' } };
    script({ calls: Array(10).fill(search) }, { calls: Array(10).fill(search) }, { text: 'At nine.' });
    const { body } = await chat({ model: assistant.id });
    const results = body.voice_assistants.tool_results;
    expect(results.map(({ is_error }) => is_error)).toEqual([...Array(16).fill(false), ...Array(4).fill(true)]);
    expect(listModelRequests()[2].messages.at(-1).content).toContain('Search at most 16 times');
  });
});

describe('JSON answers in a chat', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'place', schema } };

  it('are asked for by response_format', async () => {
    vendor.script = answerModel({ text: '{"city":"Bonn"}' });
    const { choices } = await openai.chat.completions.parse({ model: id, messages: hello, response_format });
    expect([choices[0]?.message.parsed, sent().response_format]).toEqual([{ city: 'Bonn' }, response_format]);
  });

  it('are asked for by a tool where a vendor ignores response_format, streamed or not', async () => {
    await user.post('/user-credentials', { service_type: 'anthropic', api_key: canary });
    const assistant = await save({}, { llm_provider: 'anthropic', model: 'claude' });
    vendor.script = answerModel({ calls: [{ name: 'respond', arguments: { city: 'Bonn' } }] });
    const { body } = await chat({ model: assistant.id, response_format });
    expect(body.choices).toMatchObject([{ message: { content: '{"city":"Bonn"}' }, finish_reason: 'stop' }]);
    expect(sent()).toMatchObject({
      tools: [{ function: { parameters: schema } }],
      tool_choice: { function: { name: 'respond' } },
    });
    expect(sent()).not.toHaveProperty('response_format');
    const { content, last } = await readStream({ model: assistant.id, response_format });
    expect([content, last.choices[0].finish_reason]).toEqual(['{"city":"Bonn"}', 'stop']);
  });
});

describe('a vendor that fails', () => {
  it.each<[what: string, script: Answer, status: number, type: string, says: string]>([
    [
      'refuses the key',
      answer(401, JSON.stringify({ error: { message: `Wrong key: ${canary}` } })),
      424,
      'vendor_error',
      '401: Wrong key: ****',
    ],
    ['refuses in plain text', answer(400, 'no'), 424, 'vendor_error', '400: no'],
    ['refuses without a reason', answer(404), 424, 'vendor_error', '404: no reason'],
    ['redirects', answer(302, '', { location: 'http://169.254.169.254/' }), 424, 'vendor_error', '302'],
    [
      'is busy',
      answer(429, '[{"error":{"message":"Slow down"}}]', { 'retry-after': '17' }),
      429,
      'vendor_busy',
      'Slow down',
    ],
    ['breaks', answer(500, '<html>'), 502, 'vendor_unavailable', '500: <html>'],
    ['ends the connection', failures.reset as Answer, 502, 'vendor_unavailable', 'ECONNRESET'],
  ])(
    'is told before the answer begins, streamed or not, and the key is in none of it: %s',
    async (_, script, status, type, says) => {
      vendor.script = script;
      for (const stream of [false, true]) {
        const reply = await chat({ model: id, stream });
        expect([reply.status, listFaults(reply)]).toEqual([status, [`service.vendor: ${type}`]]);
        expect(reply.body.error.message).toContain(says);
        expect(reply.text).not.toContain(canary);
        expect(reply.headers.get('retry-after')).toBe(status === 424 ? null : status === 429 ? '17' : '1');
      }
    },
  );

  it('shows no beginning of a long key that it repeats in more than 64 KB', async () => {
    const mine = await createUser();
    const api_key = 'sk-long-'.repeat(250);
    await mine.post('/user-credentials', { service_type: 'openai', api_key });
    const llm = { model: 'm', base_url };
    const { body: assistant } = await mine.post<Assistant>('/assistants', { ...minimal, llm });
    vendor.script = answer(401, `${api_key}\n`.repeat(40));
    const reply = await chat({ model: assistant.id }, mine);
    expect([reply.status, reply.text]).toEqual([424, expect.not.stringContaining('sk-long')]);
  });

  it.each<[what: string, script: Answer]>([
    ['no JSON', answer(200, 'Hello')],
    ['JSON that is no completion', answer(200, '{"choices":[]}')],
    ['null', answer(200, 'null')],
    ['more than 4 MB', answer(200, `{"choices":[{"message":{"content":"${'x'.repeat(4_000_000)}"}}]}`)],
    [
      'more than 400,000 values',
      answer(200, `{"choices":[{"message":{"content":"x"}}],"x":[${'{},'.repeat(400_000)}1]}`),
    ],
    ['half an answer', failures['half an answer'] as Answer],
  ])('is told if it answers %s', async (_, script) => {
    vendor.script = script;
    const reply = await chat({ model: id });
    expect([reply.status, listFaults(reply)]).toEqual([502, ['service.vendor: vendor_unavailable']]);
  });

  it('may answer any JSON, streamed or not: it is an answer or an error, never a crash', async () => {
    const calls = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ index: fc.jsonValue(), id: fc.jsonValue(), function: fc.jsonValue() })),
    );
    const part = fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue(), tool_calls: calls }));
    const choices = fc.array(
      fc.oneof(fc.jsonValue(), fc.record({ message: part, delta: part, finish_reason: fc.jsonValue() })),
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ choices: fc.oneof(choices, fc.jsonValue()), usage: fc.jsonValue() }),
    );
    const noText = { toString: '' };
    const odd = { content: noText, tool_calls: [{ id: noText, function: { name: noText, arguments: noText } }] };
    await fc.assert(
      fc.asyncProperty(body, async (parts) => {
        const text = JSON.stringify(parts);
        vendor.script = answer(200, text);
        expect([200, 502]).toContain((await chat({ model: id })).status);
        expect([200, 502]).toContain((await chat({ model: id, response_format: { type: 'json_object' } })).status);
        vendor.script = stream(`data: ${text}\n\n`, 'data: {"choices":[{"finish_reason":"stop"}]}\n\n');
        const { status, isDone, last } = await readStream({ model: id });
        expect([status, isDone || last.error.code]).toEqual([200, expect.toBeOneOf([true, 'vendor_unavailable'])]);
      }),
      { numRuns: 40, examples: [[{ choices: [{ message: odd, delta: odd }] }]] },
    );
    for (const depth of [100, 4_388, 100_000]) {
      const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
      vendor.script = answer(200, `{"choices":[{"message":{"content":"Hi","x":${nested}},"finish_reason":"stop"}]}`);
      expect((await chat({ model: id })).status).toBe(502);
    }
  });

  const events = listEvents({ text: 'One, two.' });

  it.each<[what: string, script: Answer]>([
    [
      'dies',
      (response) =>
        response.writeHead(200, eventStream).write(events.slice(0, 3).join(''), () => response.socket?.destroy()),
    ],
    ['ends early', stream(...events.slice(0, 3))],
    ['tells an error', stream(...events.slice(0, 3), `data: {"error":{"message":"Overloaded: ${canary}"}}\n\n`)],
    [
      'sends more than a million values',
      stream(...events.slice(0, 3), ...Array(4).fill(`data: {"choices":[],"x":[${'{},'.repeat(300_000)}1]}\n\n`)),
    ],
    ['sends an endless event', stream(...events.slice(0, 3), `data: "${'x'.repeat(1_100_000)}`)],
  ])('ends a stream by an error if it %s, and nothing is stored', async (_, script) => {
    vendor.script = script;
    const session_id = randomUUID();
    const { status, content, last, isDone, text } = await readStream({ model: id, session_id });
    expect([status, content, isDone]).toEqual([200, 'One, t', false]);
    expect(last.error).toMatchObject({ type: 'server_error', code: 'vendor_unavailable' });
    expect(text).not.toContain(canary);
    const { body } = await user.get<Sessions>(`/logs/chat-sessions?room_name=${session_id}`);
    expect(body.data.sessions).toEqual([]);
  });

  it.each<[what: string, pieces: (string | Buffer)[]]>([
    ['CRLF', events.map((event) => event.replaceAll('\n', '\r\n'))],
    [
      'comments and other fields',
      events.flatMap((event) => [': wait\n\n', 'retry: 5\n', `event: message\nid: 1\n${event}`]),
    ],
    ['one byte at a time', [...Buffer.from(events.join(''))].map((byte) => Buffer.of(byte))],
    ['events that are no JSON', events.flatMap((event) => ['data: nonsense\n\n', event])],
  ])('is no matter if its stream has %s', async (_, pieces) => {
    vendor.script = stream(...pieces);
    const { content, isDone } = await readStream({ model: id });
    expect([content, isDone]).toEqual(['One, two.', true]);
  });

  it('may cut characters in half', async () => {
    const bytes = Buffer.from(listEvents({ text: 'Grüße, 你好 😀' }).join(''));
    vendor.script = stream(
      ...Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7)),
    );
    expect((await readStream({ model: id })).content).toBe('Grüße, 你好 😀');
  });

  it('gets the limits and settings that it accepts', async () => {
    const assistant = await save({}, { max_tokens: 100, parallel_tool_calls: false });
    await chat({ model: assistant.id, max_completion_tokens: 50 });
    expect(sent()).not.toHaveProperty('max_tokens');
    expect(sent()).not.toHaveProperty('parallel_tool_calls');
    await user.post('/user-credentials', { service_type: 'mistral', api_key: canary });
    const mistral = await save({}, { llm_provider: 'mistral' });
    await readStream({ model: mistral.id });
    expect(sent(1)).not.toHaveProperty('stream_options');
  });

  it('may answer long texts of any characters', async () => {
    const text = 'x'.repeat(16_383 - 200) + '😀'.repeat(400);
    vendor.script = answerModel({ text });
    expect((await chat({ model: id })).body.choices[0]?.message).toMatchObject({ content: text });
  });

  it.each<[what: string, llm: object, type: string]>([
    ['no key', { llm_provider: 'groq', base_url: undefined }, 'missing'],
    ['a credential whose name is no text', { credential: 7 }, 'invalid_name'],
    ['a credential that is not there', { llm_provider: 'ollama', credential: 'none' }, 'missing'],
    ['a provider without an address', { llm_provider: 'somebody', base_url: undefined }, 'unknown_vendor'],
    ['a private address', { base_url: 'http://169.254.169.254/v1' }, 'forbidden_address'],
  ])('is not asked if the assistant has %s', async (_, llm, type) => {
    const assistant = await save({}, llm);
    const reply = await chat({ model: assistant.id });
    expect([reply.status, listFaults(reply)]).toEqual([424, [`service.vendor: ${type}`]]);
  });

  it('needs no key at an address of its own', async () => {
    const assistant = await save({}, { llm_provider: 'ollama', model: 'llama3.2' });
    expect((await chat({ model: assistant.id })).status).toBe(200);
    expect(vendor.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is left when the client leaves', async () => {
    let left = false;
    vendor.script = (response) => {
      response.writeHead(200, eventStream).write(events[1] ?? '');
      const more = setInterval(() => response.write(events[1] ?? ''), 20);
      response.on('close', () => {
        left = true;
        clearInterval(more);
      });
    };
    const answers = await openai.chat.completions.create({ model: id, messages: hello, stream: true });
    for await (const _ of answers) break;
    await expect.poll(() => left).toBe(true);
  });
});

describe('a chat that is stored', () => {
  it('is a session of the channel text, which grows with each turn, with its tools and its usage', async () => {
    const http = { url: `${new URL(vendor.url).origin}/orders` };
    const tool = { type: 'http', name: 'find_order', description: 'Finds it', parameters: { type: 'object' }, http };
    const assistant = await save({ tools: [tool] });
    vendor.script = inTurn(
      answerModel({ calls: [{ name: 'find_order', arguments: {} }] }),
      answer(200, '{"state":"sent"}'),
      answerModel({ text: 'It was sent.' }),
      answerModel({ text: 'You are welcome.' }),
    );
    const session_id = randomUUID();
    const first = await chat({ model: assistant.id, session_id, messages: [{ role: 'user', content: 'My order?' }] });
    const messages = [
      { role: 'user', content: 'My order?' },
      { role: 'assistant', content: 'It was sent.' },
      { role: 'user', content: [{ type: 'text', text: 'Thanks' }] },
    ];
    const second = await readStream({ model: assistant.id, session_id, messages });
    const stored = first.body.voice_assistants.session_id;
    expect(second.last.voice_assistants.session_id).toBe(stored);
    const { body } = await user.get<SessionReply>(`/logs/chat-logs/${stored}`);
    expect(body.data.logs.map(({ type, role, content }) => [type, role, content])).toEqual([
      ['message', 'assistant', 'Clinic, good day.'],
      ['message', 'user', 'My order?'],
      ['function_call', 'assistant', null],
      ['function_call_output', 'tool', null],
      ['message', 'assistant', 'It was sent.'],
      ['message', 'user', 'Thanks'],
      ['message', 'assistant', 'You are welcome.'],
    ]);
    expect(body.data.session).toMatchObject({
      channel: 'text',
      room_name: session_id,
      usage: [
        { provider: 'openai', model: 'gpt-4.1-mini', input_tokens: 60, input_cached_tokens: 24, output_tokens: 15 },
      ],
    });
    const { body: listed } = await user.get<Sessions>(`/logs/chat-sessions?room_name=${session_id}`);
    expect(listed.data.sessions).toMatchObject([{ session_id: stored, channel: 'text', message_count: 5 }]);
  });

  it('begins another session if what was said before is told otherwise', async () => {
    const { body: first } = await chat({ model: id, store: true });
    const session_id = first.voice_assistants.session_id;
    const continued = [...hello, { role: 'assistant', content: 'Hello there!' }, ...hello];
    const { body: second } = await chat({ model: id, session_id, messages: continued });
    const changed = [...hello, { role: 'assistant', content: 'Never said' }, ...hello];
    const { body: third } = await chat({ model: id, session_id, messages: changed });
    expect(second.voice_assistants.session_id).toBe(session_id);
    expect(third.voice_assistants.session_id).not.toBe(session_id);
  });

  it('begins another session once a session has more than 5 MB', async () => {
    const session_id = randomUUID();
    const long = 'a'.repeat(2_000_000);
    const ids: (string | null)[] = [];
    const messages: { role: string; content: string | null }[] = [];
    for (const content of [long, `${long}!`, `${long}?`, 'And at ten?', 'At eleven?']) {
      messages.push({ role: 'user', content });
      const { body } = await chat({ model: id, session_id, messages: messages.slice(-3) });
      messages.push(body.choices[0]?.message as (typeof messages)[0]);
      ids.push(body.voice_assistants.session_id);
    }
    const [first, , , second] = ids;
    expect(ids).toEqual([first, first, first, second, second]);
    expect(second).not.toBe(first);
  });

  it('begins another session once a session has more than 200,000 JSON values', async () => {
    const session_id = randomUUID();
    const ids: (string | null)[] = [];
    const messages: object[] = [];
    for (const count of [190_000, 20_000, 1]) {
      messages.push({ role: 'user', content: `Look at ${count}`, data: Array(count).fill(0) });
      const { body } = await chat({ model: id, session_id, messages });
      messages.push(body.choices[0]?.message ?? {});
      ids.push(body.voice_assistants.session_id);
    }
    expect(ids).toEqual([ids[0], ids[0], expect.any(String)]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it('is one session if the client drops old messages, edits one and goes on, or sends back what it got', async () => {
    const session_id = randomUUID();
    const ask = async (messages: object[]) =>
      (await chat({ model: id, session_id, messages })).body.voice_assistants.session_id;
    const say = (content: string | null, role = 'user') => ({ role, content });
    const reply = say('Hello there!', 'assistant');
    const first = await ask([say('One')]);
    expect(await ask([say('One'), reply, say('Two')])).toBe(first);
    expect(await ask([say('Two'), reply, say('Three')])).toBe(first);
    const edited = await ask([say('One'), reply, say('Another')]);
    expect(edited).not.toBe(first);
    expect(await ask([say('One'), reply, say('Another'), reply, say('More')])).toBe(edited);
    const { body } = await user.get<SessionReply>(`/logs/chat-logs/${first}`);
    expect(body.data.logs.map(({ content }) => content).filter((content) => content !== 'Hello there!')).toEqual([
      'Clinic, good day.',
      ...['One', 'Two', 'Three'],
    ]);
  });

  it.skipIf(deployed)('goes on when it is too large for the table, and when its file is gone', async () => {
    const mine = await createUser();
    await mine.post('/user-credentials', { service_type: 'openai', name: 'second', api_key: canary });
    const llm = { model: 'm', base_url, credential: 'second' };
    const { body: assistant } = await mine.post<Assistant>('/assistants', { ...minimal, llm });
    const session_id = randomUUID();
    const messages: object[] = [];
    const ids: (string | null)[] = [];
    const ask = async (content: string) => {
      messages.push({ role: 'user', content });
      const { body } = await chat({ model: assistant.id, session_id, messages }, mine);
      messages.push(body.choices[0]?.message ?? {});
      ids.push(body.voice_assistants.session_id);
    };
    await ask('Short');
    for (let i = 0; i < 2; i++) await ask(randomBytes(8_000).toString('hex'));
    expect(new Set(ids).size).toBe(1);
    const { url } = await LocalIssuer.open(inject('dataDir'));
    for (const file of listObjectFiles(`transcripts/${toUserKey(url, mine.sub)}`)) rmSync(file);
    await ask('Still there?');
    expect(new Set(ids).size).toBe(2);
  });

  it('is not stored if the client says so, and holds no data of images', async () => {
    const session_id = randomUUID();
    const { body } = await chat({ model: id, session_id, store: false });
    expect(body.voice_assistants.session_id).toBeNull();
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400_000)}` } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'This?' }, image] }];
    const stored = await chat({ model: id, session_id, messages });
    const { text } = await user.get(`/logs/chat-logs/${stored.body.voice_assistants.session_id}`);
    expect(text.length).toBeLessThan(10_000);
    expect(text).toContain('data:image/png;base64,…');
  });
});
