import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { RequestAnswer } from '../../shared/domain/job.ts';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import type { Job } from '../../shared/schemas/job.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { createUser, deployed, listFaults } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { minimal } from '../support/assistants.ts';
import { listObjectFiles } from '../support/files.ts';
import { uploadAndWait } from '../support/knowledge-bases.ts';
import { answer, startReceiver } from '../support/receiver.ts';
import { answerModel } from '../support/vendor.ts';

const user = await createUser();
const vendor = await startReceiver();
afterAll(() => vendor.stop());
const base_url = vendor.url.replace(/\/hook$/, '/v1');
await user.post('/user-credentials', { service_type: 'openai', api_key: 'sk-canary-of-a-job' });

const llm = { model: 'gpt-4.1-mini', base_url };
const { body: assistant } = await user.post<Assistant>('/assistants', { ...minimal, llm });

beforeEach(() => {
  vendor.requests.length = 0;
  vendor.script = answerModel({ text: 'Good day!' });
});

const ask = (content: string, fields: object = {}) => ({
  model: assistant.id,
  messages: [{ role: 'user', content }],
  ...fields,
});

type OneJob = { data: Job };

const create = async (requests: object[], client = user) =>
  (await client.post<OneJob>('/batch/chat/completions', { requests })).body.data;

const read = async (job_id: string, client = user) => (await client.get<OneJob>(`/batch/status/${job_id}`)).body.data;

/** Waits until a job is done. Returns it with its answers by id. */
async function waitForAnswers(job_id: string): Promise<Job & { lines: Map<string, RequestAnswer> }> {
  await expect.poll(async () => (await read(job_id)).status).toBe('done');
  const job = await read(job_id);
  const text = await (await fetch(job.answers?.url ?? '')).text();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line): RequestAnswer => JSON.parse(line));
  return { ...job, lines: new Map(lines.map((line) => [line.custom_id, line])) };
}

describe('a job', () => {
  it('answers each request as a chat completion would, also those that fail', async () => {
    vendor.script = (response, request, number) => {
      const isWrong = request.body.includes('wrong');
      const script = isWrong
        ? answer(401, '{"error": {"message": "Incorrect API key sk-canary-of-a-job"}}')
        : answerModel({ text: `Said: ${JSON.parse(request.body).messages.at(-1).content}` });
      script(response, request, number);
    };
    const stranger = '0197aaaa-0000-7000-8000-000000000000';
    const created = await create([
      { custom_id: 'one', body: ask('Hello') },
      { custom_id: 'two', body: ask('¿Qué tal? 🦷') },
      { custom_id: 'refused', body: ask('wrong') },
      { custom_id: 'unknown', body: { ...ask('Hello'), model: stranger } },
    ]);
    expect(created).toMatchObject({ status: 'queued', total: 4, succeeded: 0, failed: 0, answers: null });

    const { lines, ...job } = await waitForAnswers(created.job_id);
    expect(job).toMatchObject({ total: 4, succeeded: 2, failed: 2, ended_at: expect.any(String) });
    expect(lines.get('one')?.response).toMatchObject({
      status_code: 200,
      body: { choices: [{ message: { content: 'Said: Hello' } }], voice_assistants: { assistant_id: assistant.id } },
    });
    expect(lines.get('two')?.response.body).toMatchObject({
      choices: [{ message: { content: 'Said: ¿Qué tal? 🦷' } }],
    });
    expect(lines.get('refused')?.response).toMatchObject({
      status_code: 424,
      body: { detail: [{ type: 'vendor_error' }], error: { code: 'vendor_error' } },
    });
    expect(lines.get('unknown')?.response).toMatchObject({ status_code: 404, body: { error: { code: 'not_found' } } });
    expect(JSON.stringify([...lines])).not.toContain('sk-canary');
  });

  it('asks at most ten requests at once, and each once', async () => {
    let most = 0;
    const waiting: (() => void)[] = [];
    vendor.script = async (...exchange) => {
      most = Math.max(
        most,
        waiting.push(() => answerModel({ text: 'Good day!' })(...exchange)),
      );
      if (waiting.length !== 10) return;
      await setTimeout(200); // time for an eleventh
      for (const send of waiting.splice(0)) send();
    };
    const requests = Array.from({ length: 40 }, (_, i) => ({ custom_id: `${i}`, body: ask(`Question ${i}`) }));
    const { job_id } = await create(requests);
    const { lines, succeeded } = await waitForAnswers(job_id);
    expect(succeeded).toBe(40);
    expect(lines.size).toBe(40);
    expect(vendor.requests.length).toBe(40);
    expect(most).toBe(10);
  });

  it('asks a busy vendor again, after the pause that it names', async () => {
    let refused = 0;
    vendor.script = (response, request, number) =>
      (refused++ < 2
        ? answer(429, '{"error": {"message": "Slow down"}}', { 'retry-after': '1' })
        : answerModel({ text: 'Now.' }))(response, request, number);
    const { job_id } = await create([{ custom_id: 'one', body: ask('Hello') }]);
    expect(await waitForAnswers(job_id)).toMatchObject({ succeeded: 1, failed: 0 });
    expect(vendor.requests.length).toBe(3);
  });

  it.skipIf(deployed)('uses the documents and the published version of the assistant', async () => {
    const document = await uploadAndWait(user, 'The clinic opens at eight.', 'hours.txt');
    const lost = await uploadAndWait(user, 'Its index is lost.', 'lost.txt');
    const { url } = await LocalIssuer.open(inject('dataDir'));
    const files = listObjectFiles(`passages/${toUserKey(url, user.sub)}`);
    for (const file of files.filter((name) => name.includes(lost.id))) rmSync(file);
    const published = (await user.post<Assistant>('/assistants', { ...minimal, llm })).body.id;
    await user.put(`/assistants/${published}`, {
      tools: [{ type: 'search', name: 'look_up', description: 'Finds passages' }],
      llm: { ...llm, credential: 'default' },
    });
    for (const { id } of [document, lost]) await user.put(`/assistants/${published}/knowledge-bases/${id}`, {});
    await user.post(`/assistants/${published}/versions`, {});
    vendor.script = (response, request, number) => {
      const isFirst = !request.body.includes('tool_call_id');
      const said = isFirst ? { calls: [{ name: 'look_up', arguments: { query: 'opens' } }] } : { text: 'At eight.' };
      answerModel(said)(response, request, number);
    };
    const { job_id } = await create([{ custom_id: 'one', body: { ...ask('When?'), model: published } }]);
    const { lines } = await waitForAnswers(job_id);
    expect(lines.get('one')?.response.body).toMatchObject({
      voice_assistants: { version: 1, passages: [{ file_name: 'hours.txt' }] },
    });
  });

  it('tells its beginning and its end, in the name of its creator', async () => {
    const key = await createWorker(user, ['chat']);
    const { job_id } = await create([{ custom_id: 'one', body: ask('Hello') }], key);
    await waitForAnswers(job_id);
    const listed = await user.get<{ data: { events: JournalEvent[] } }>(`/logs/audit?subject_id=${job_id}`);
    const [done, created] = listed.body.data.events;
    expect(done).toMatchObject({ type: 'job.done', data: { succeeded: 1, failed: 0 } });
    expect(created).toMatchObject({ type: 'job.created', data: { requests: 1 }, actor: { kind: 'api_key' } });
    expect(done?.actor).toEqual(created?.actor);
  });

  it('reports what means nothing in a job, and saves no session', async () => {
    const body = ask('Hello', { stream: true, store: true, session_id: '0197aaaa-0000-7000-8000-000000000000' });
    const reply = await user.post<OneJob>('/batch/chat/completions', { requests: [{ custom_id: 'one', body }] });
    expect(reply.headers.get('x-ignored-fields')).toBe(
      'requests.body.stream, requests.body.store, requests.body.session_id',
    );
    expect(await waitForAnswers(reply.body.data.job_id)).toMatchObject({ succeeded: 1 });
    const sessions = await user.get<{ data: { sessions: object[] } }>('/logs/chat-sessions');
    expect(sessions.body.data.sessions).toEqual([]);
  });

  it.skipIf(deployed)('has an address of its answers that finds nothing once they are gone', async () => {
    const { job_id } = await create([{ custom_id: 'one', body: ask('Hello') }]);
    const { answers } = await waitForAnswers(job_id);
    const { url } = await LocalIssuer.open(inject('dataDir'));
    for (const file of listObjectFiles(`jobs/${toUserKey(url, user.sub)}/${job_id}`)) rmSync(file);
    expect((await fetch(answers?.url ?? '')).status).toBe(404);
  });

  it("is nobody else's", async () => {
    const { job_id } = await create([{ custom_id: 'one', body: ask('Hello') }]);
    const reply = await (await createUser()).get(`/batch/status/${job_id}`);
    expect(reply.status).toBe(404);
    expect(listFaults(reply)).toEqual(['path.job_id: not_found']);
  });

  it('is created once for one Idempotency-Key', async () => {
    const body = { requests: [{ custom_id: 'one', body: ask('Hello') }] };
    const headers = { 'idempotency-key': 'the-same' };
    const [first, second] = [
      await user.post<OneJob>('/batch/chat/completions', body, headers),
      await user.post<OneJob>('/batch/chat/completions', body, headers),
    ];
    expect(second.body).toEqual(first.body);
  });

  it.for([
    ['no request', [], ['body.requests: too_short']],
    [
      'one name twice',
      [ask('a'), ask('b')].map((body) => ({ custom_id: 'same', body })),
      ['body.requests: not_unique'],
    ],
    [
      'another model',
      [{ custom_id: '1', body: ask('a', { model: 'gpt-4o' }) }],
      ['body.requests.0.body.model: assistant_model'],
    ],
    [
      'too many',
      Array.from({ length: 1_001 }, (_, i) => ({ custom_id: `${i}`, body: ask('a') })),
      ['body.requests: too_long'],
    ],
  ] as const)('is refused with %s', async ([, requests, faults]) => {
    const reply = await user.post('/batch/chat/completions', { requests });
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toEqual(faults);
  });
});
