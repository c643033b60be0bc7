import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Analytics, Stats } from '../../shared/schemas/usage.ts';
import { type Client, createUser } from '../support/api.ts';
import { createWorker } from '../support/api-keys.ts';
import { createAssistant } from '../support/assistants.ts';

const usage = [
  { type: 'llm_usage', provider: 'openai', model: 'gpt-4.1-mini', input_tokens: 1_000, output_tokens: 100 },
  { type: 'tts_usage', provider: 'cartesia', model: 'sonic-3', characters_count: 200, audio_duration: 3 },
];
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `item_${i}`,
    role: i % 2 ? 'user' : 'assistant',
    content: `Turn ${i}`,
    metrics: { e2e_latency: 0.65 },
  }));

const buildLog = (assistant_id: string, fields: object = {}) => ({
  assistant_id,
  room_name: `room ${randomUUID()}`,
  transcript: turns(4),
  session_duration: 90,
  end_reason: 'Customer hung up',
  usage,
  ...fields,
});

/** Returns a different word for each number. */
const toWord = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));

const readStats = async (user: Client, query = '') =>
  (await user.get<{ data: Stats }>(`/usage/stats${query}`)).body.data;
const readSeries = async (user: Client, query: string) =>
  (await user.get<{ data: Analytics }>(`/analytics/usage?${query}`)).body.data.series;

async function createUserWithAssistant() {
  const user = await createUser();
  return { user, id: (await createAssistant(user)).body.id };
}

describe('usage', () => {
  it('counts a call with its length, end, latency and models', async () => {
    const { user, id } = await createUserWithAssistant();
    await user.post('/logs/call-logs', buildLog(id));
    const stats = await readStats(user);
    expect(stats).toMatchObject({
      timezone: 'UTC',
      calls: 1,
      minutes: 1.5,
      average_seconds: 90,
      messages: 4,
      user_messages: 2,
      ended: { customer_hung_up: 1 },
      tokens: { input: 1_000, cached_input: 0, output: 100 },
      characters: 200,
      cost: null,
      currency: 'USD',
    });
    expect(stats.latency).toMatchObject({ method: 'histogram', e2e: { turns: 4, p50: 700 }, ttft: null });
    expect(stats.models.map(({ kind, provider, model }) => [kind, provider, model])).toEqual([
      ['llm', 'openai', 'gpt-4.1-mini'],
      ['tts', 'cartesia', 'sonic-3'],
    ]);
  });

  it('counts a call once, however often and however long it is saved, and keeps it when it is deleted', async () => {
    const { user, id } = await createUserWithAssistant();
    const log = buildLog(id, { transcript: turns(2) });
    for (let i = 0; i < 2; i++) await user.post('/logs/call-logs', log);
    const longer = { ...log, transcript: turns(6), session_duration: 120, end_reason: 'agent ended it' };
    const { body } = await user.post<{ data: { id: string } }>('/logs/call-logs', longer);
    const expected = { calls: 1, minutes: 2, messages: 6, ended: { agent_ended_it: 1 }, tokens: { input: 1_000 } };
    expect(await readStats(user)).toMatchObject(expected);
    await user.delete(`/logs/chat-logs/${body.data.id}`);
    expect(await readStats(user)).toMatchObject(expected);
  });

  it('counts each of many calls that end at the same time', async () => {
    const { user, id } = await createUserWithAssistant();
    const save = () => user.post('/logs/call-logs', buildLog(id), { 'idempotency-key': randomUUID() });
    const replies = await Promise.all(Array.from({ length: 30 }, save));
    const saved = replies.filter(({ status }) => status === 200).length;
    expect(replies.every(({ status }) => [200, 409, 503].includes(status))).toBe(true);
    const stats = await readStats(user);
    // A save with a lost answer may have been counted; a refused one was not.
    const lost = replies.filter(({ status }) => status === 503).length;
    expect(stats.calls).toBeGreaterThanOrEqual(saved);
    expect(stats.calls).toBeLessThanOrEqual(saved + lost);
    expect(stats.messages).toBe(4 * stats.calls);
    expect(stats.tokens.input).toBe(1_000 * stats.calls);
  });

  it('counts as other what a day has no room for', async () => {
    const { user, id } = await createUserWithAssistant();
    const count = 200;
    for (let from = 0; from < count; from += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          user.post('/logs/call-logs', buildLog(id, { end_reason: toWord(from + i), usage: null })),
        ),
      );
    const { ended, calls } = await readStats(user);
    expect(calls).toBe(count);
    expect(Object.values(ended).reduce((sum, n) => sum + n, 0)).toBe(count);
    expect(ended.other).toBeGreaterThanOrEqual(count - 4 * 40);
  });

  it('is compared by assistant, version, model, end reason and day', async () => {
    const { user, id } = await createUserWithAssistant();
    const { body: other } = await createAssistant(user);
    await user.post('/logs/call-logs', buildLog(id, { assistant_version: 2 }));
    await user.post('/logs/call-logs', buildLog(id, { assistant_version: 3, end_reason: 'voicemail' }));
    await user.post('/logs/call-logs', buildLog(other.id));
    const list = async (query: string) => (await readSeries(user, query)).map(({ key, calls }) => [key, calls]).sort();
    expect(await list('group_by=day')).toEqual([[null, 3]]);
    expect(await list('group_by=assistant')).toEqual(
      [
        [id, 2],
        [other.id, 1],
      ].sort(),
    );
    expect(await list(`group_by=version&assistant_id=${id}`)).toEqual([
      [`${id}/2`, 1],
      [`${id}/3`, 1],
    ]);
    expect(await list('group_by=end_reason&interval=month')).toEqual([
      ['customer_hung_up', 2],
      ['voicemail', 1],
    ]);
    const models = await readSeries(user, 'group_by=model');
    expect(models.map(({ key, tokens, characters }) => [key, tokens.input, characters])).toEqual([
      ['llm:openai/gpt-4.1-mini', 3_000, 0],
      ['tts:cartesia/sonic-3', 0, 600],
    ]);
    expect((await readStats(user, `?assistant_id=${id}`)).calls).toBe(2);
    expect((await readStats(user, `?assistant_id=${randomUUID()}`)).calls).toBe(0);
  });

  it('belongs to the day on which the call started, and to its user alone', async () => {
    const { user, id } = await createUserWithAssistant();
    const started_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
    await user.post('/logs/call-logs', buildLog(id, { started_at }));
    const day = started_at.slice(0, 10);
    expect(await readSeries(user, 'group_by=day')).toMatchObject([{ interval: day, calls: 1 }]);
    expect((await readStats(user, `?from=${day}&to=${day}`)).calls).toBe(1);
    expect((await readStats(user, '?to=2020-01-01')).calls).toBe(0);
    expect((await readStats(user, `?from=${day}&to=2020-01-01`)).calls).toBe(0);
    expect((await readStats(await createUser())).calls).toBe(0);
  });

  it('refuses days that do not exist, and periods that are too long', async () => {
    const user = await createUser();
    for (const query of ['from=2026-02-30', 'to=tomorrow', 'from=2020-01-01'])
      expect((await user.get(`/usage/stats?${query}`)).status, query).toBe(422);
    const long = 'from=2026-01-01&to=2026-06-01';
    expect((await user.get(`/analytics/usage?${long}`)).status).toBe(200);
    expect((await user.get(`/analytics/usage?${long}&group_by=assistant`)).status).toBe(422);
    expect((await user.get('/analytics/usage?group_by=hour')).status).toBe(422);
  });

  it('never loses a call to its usage', async () => {
    const { user, id } = await createUserWithAssistant();
    const strange = [
      { type: 'llm_usage', input_tokens: 'many', details: { deep: [1] } },
      {},
      { type: 'new_usage', bytes: 3 },
    ];
    const { status, headers, body } = await user.post<{ data: { id: string } }>(
      '/logs/call-logs',
      buildLog(id, { usage: strange }),
    );
    expect(status).toBe(200);
    expect(headers.get('x-ignored-fields')).toBe(
      'usage.0.provider, usage.0.model, usage.0.input_tokens, usage.1, usage.2',
    );
    expect(await readStats(user)).toMatchObject({ calls: 1, tokens: { input: 0 } });
    const { body: read } = await user.get<{ data: { session: object } }>(`/logs/chat-logs/${body.data.id}`);
    expect(read.data.session).toMatchObject({ usage: strange, direction: null, from: null, to: null });
  });

  it.each([
    ['cost', [-1, 1_000_000_001, '3.5', {}]],
    ['assistant_version', [0, 1.5, 'v7', 1_000_001]],
    ['direction', ['sideways', 7]],
    ['from', [7, ['+49'], 'x'.repeat(257)]],
    ['to', [false, {}]],
    ['usage', ['much', { tokens: 3 }]],
  ])('saves a call whose %s makes no sense, and names it', async (field, values) => {
    const { user, id } = await createUserWithAssistant();
    for (const value of values) {
      const log = buildLog(id, { usage: undefined, [field]: value });
      const { status, headers, body } = await user.post<{ data: { id: string } }>('/logs/call-logs', log);
      expect([status, headers.get('x-ignored-fields')], JSON.stringify(value)).toEqual([200, field]);
      const { body: read } = await user.get<{ data: { session: object } }>(`/logs/chat-logs/${body.data.id}`);
      if (field !== 'usage') expect(read.data.session).toMatchObject({ [field]: null, extra: {} });
    }
    expect(await readStats(user)).toMatchObject({ calls: values.length, cost: null });
  });

  it('counts calls in currencies of small units', async () => {
    const { user, id } = await createUserWithAssistant();
    await user.put('/usage/prices', { currency: 'VND', entries: { call: { per_minute: 2e6 } } });
    for (let i = 0; i < 20; i++) await user.post('/logs/call-logs', buildLog(id, { cost: 1e9 }));
    const { body } = await user.post<{ data: { cost: number } }>('/logs/call-logs', buildLog(id));
    expect(body.data.cost).toBe(3e6);
    expect((await readStats(user)).cost).toBe(20e9 + 3e6);
  });
});

describe('prices', () => {
  const entries = {
    'llm:openai/gpt-4.1-mini': { input: 0.4, output: 1.6 },
    'tts:cartesia/*': { per_million_characters: 30 },
    call: { per_minute: 0.01 },
  };

  it('set the cost of the calls that follow, in the session, the event and the sums', async () => {
    const { user, id } = await createUserWithAssistant();
    await user.post('/logs/call-logs', buildLog(id));
    const { status, body } = await user.put<{ data: object }>('/usage/prices', { currency: 'EUR', entries });
    expect([status, body.data]).toMatchObject([200, { currency: 'EUR', entries }]);
    const { body: saved } = await user.post<{ data: { cost: number; id: string } }>('/logs/call-logs', buildLog(id));
    const cost = 0.0004 + 0.00016 + 0.006 + 0.015;
    expect(saved.data.cost).toBeCloseTo(cost, 6);
    const stats = await readStats(user);
    expect([stats.currency, stats.calls]).toEqual(['EUR', 2]);
    expect(stats.cost).toBeCloseTo(cost, 6);
    const { text } = await user.get(`/logs/audit?type=call.*&subject_id=${saved.data.id}`);
    expect(text).toContain(`"cost":${saved.data.cost}`);
  });

  it('give way to a cost that the worker reports', async () => {
    const { user, id } = await createUserWithAssistant();
    await user.put('/usage/prices', { entries });
    await user.post('/logs/call-logs', buildLog(id, { cost: 1.25 }));
    expect((await readStats(user)).cost).toBe(1.25);
  });

  it('are replaced only at the revision that was read', async () => {
    const user = await createUser();
    const { headers, body } = await user.get<{ data: object }>('/usage/prices');
    expect(body.data).toEqual({ currency: 'USD', entries: {}, updated_at: null });
    const match = { 'if-match': headers.get('etag') ?? '' };
    expect((await user.put('/usage/prices', { entries }, match)).status).toBe(200);
    expect((await user.put('/usage/prices', { entries: {} }, match)).status).toBe(412);
    expect((await user.get<{ data: object }>('/usage/prices')).body.data).toMatchObject({ entries });
    expect((await user.get('/logs/audit?type=prices.saved')).text).toContain('"prices":3');
  });

  it('have names by kind, provider and model', async () => {
    const user = await createUser();
    const refused = [
      { 'gpt-4': {} },
      { 'llm:openai': {} },
      { 'llm:a/b c': {} },
      { call: { per_minute: -1 } },
      { call: 'dear' },
    ];
    for (const entries of refused) {
      const { status, text } = await user.put('/usage/prices', { entries });
      expect(status, text).toBe(422);
    }
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`llm:openai/${n}`, { input: 1 }]));
    expect((await user.put('/usage/prices', { entries: many })).status).toBe(422);
    expect((await user.put('/usage/prices', { currency: 'euro', entries: {} })).status).toBe(422);
  });

  it.each([
    ['llm:openai/x', { per_minute: 1 }],
    ['llm:openai/x', { per_million_characters: 1 }],
    ['tts:a/*', { per_minute: 1, input: 2 }],
    ['stt:a/b', { output: 1 }],
    ['call', { per_million_characters: 1 }],
    ['call', {}],
    ['llm:openai/x', { inptu: 1 }],
    ['tts:*/x', { per_million_characters: 1 }],
    ['gpt-4', { input: 1 }],
    ['constructor:a/b', { input: 1 }],
  ])('are refused by name if they would price nothing: %s %j', async (name, price) => {
    const user = await createUser();
    const { status, body } = await user.put<{ detail: { loc: string[] }[] }>('/usage/prices', {
      entries: { ...entries, [name]: price },
    });
    expect([status, body.detail.map(({ loc }) => loc)]).toEqual([422, [['body', 'entries', name]]]);
  });

  it('name amounts that a kind does not have, and keep the currency that is not sent', async () => {
    const user = await createUser();
    const odd = { 'llm:openai/x': { input: 1, per_minute: 2, inptu: 3 }, call: { per_minute: 1 } };
    const { headers } = await user.put('/usage/prices', { currency: 'EUR', entries: odd });
    const ignored = 'entries.llm:openai/x.per_minute, entries.llm:openai/x.inptu';
    expect(decodeURIComponent(headers.get('x-ignored-fields') ?? '')).toBe(ignored);
    const { body } = await user.put<{ data: object }>('/usage/prices', { entries: {} });
    expect(body.data).toMatchObject({ currency: 'EUR', entries: {} });
  });

  it('need the scope to change things', async () => {
    const user = await createUser();
    const reader = await createWorker(user, ['read']);
    expect((await reader.get('/usage/prices')).status).toBe(200);
    expect((await reader.put('/usage/prices', { entries: {} })).status).toBe(403);
  });
});
