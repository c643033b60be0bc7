import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import type { Log } from '../../shared/schemas/log.ts';
import type { CallDetails, Session } from '../../shared/schemas/session.ts';
import { toUserKey } from '../../shared/store/table/keys.ts';
import { type Client, createOtherUser, createUser, deployed, listFaults, type Reply } from '../support/api.ts';
import { createAssistant } from '../support/assistants.ts';
import { listObjectFiles } from '../support/files.ts';

const user = await createUser();
const other = await createOtherUser();

interface Saved {
  data: Session & { id: string };
}
interface Read {
  data: { session: Session & CallDetails; logs: Log[]; next_cursor: string | null };
}
interface Listed {
  data: { sessions: (Session & { logs?: Log[] })[]; next_cursor: string | null };
}

let assistant_id = '';
beforeAll(async () => {
  assistant_id = (await createAssistant(user, { name: 'Receptionist' })).body.id;
});

const buildTurns = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    id: `item_${from + i}`,
    role: i % 2 ? 'user' : 'assistant',
    content: [`Turn ${from + i}`],
  }));

const save = (fields: object, headers?: Record<string, string>, who = user) =>
  who.post<Saved>(
    '/logs/call-logs',
    { assistant_id, room_name: randomUUID(), transcript: buildTurns(2), ...fields },
    headers,
  );
const read = (id: string, query = '') => user.get<Read>(`/logs/chat-logs/${id}${query}`);
const list = (query = '', who = user) => who.get<Listed>(`/logs/chat-sessions${query}`);
const listIds = ({ body }: Reply<Listed>) => body.data.sessions.map(({ session_id }) => session_id);
const toRoomQuery = (name: string) => `?room_name=${encodeURIComponent(name)}`;

describe('saving a call log', () => {
  it.each(['livekit', 'retell', 'vapi', 'elevenlabs', 'plain'])(
    'accepts and returns a transcript from %s',
    async (vendor) => {
      const sent = JSON.parse(readFileSync(`test/data/transcripts/${vendor}.json`, 'utf8'));
      const { status, body } = await save(sent);
      expect(status).toBe(200);
      const { data } = (await read(body.data.session_id)).body;
      expect(data.session).toMatchObject({
        room_name: sent.room_name,
        assistant_name: 'Receptionist',
        channel: 'voice',
      });
      expect(data.logs.map(({ raw }) => raw)).toEqual(sent.transcript);
      expect(data.logs.map(({ index }) => index)).toEqual(sent.transcript.map((_: unknown, i: number) => i));
      expect(data.logs.some(({ role, content }) => role !== 'other' && content)).toBe(true);
    },
  );

  it('returns the session, and stores unknown fields as extra', async () => {
    const { body, headers } = await save({
      session_duration: '61.5',
      participant_name: 'Ana',
      started_at: '2026-11-21T07:00:00', // UTC in the format of Python's isoformat()
      ended_at: '2026-11-21T07:01:01.500Z',
      end_reason: 'hangup',
      recording_url: 'https://example.com/r.ogg',
      metadata: { ticket: 7 },
      sentiment: { score: 0.5 },
    });
    expect(body.data).toMatchObject({
      id: body.data.session_id,
      message_count: 2,
      session_duration: 61.5,
      preview: 'Turn 1',
      started_at: '2026-11-21T07:00:00.000Z',
      ended_at: '2026-11-21T07:01:01.500Z',
    });
    expect(headers.get('location')).toMatch(new RegExp(`/logs/chat-logs/${body.data.id}$`));
    expect((await read(body.data.id)).body.data.session).toMatchObject({
      end_reason: 'hangup',
      recording_url: 'https://example.com/r.ogg',
      metadata: { ticket: 7 },
      extra: { sentiment: { score: 0.5 } },
    });
  });

  it.each([0, 1, 10_000])('stores %d items, and returns all of them in order', async (count) => {
    const { status, body } = await save({ transcript: buildTurns(count) });
    expect([status, body.data.message_count]).toEqual([200, count]);
    const logs: Log[] = [];
    for (let query = ''; ; ) {
      const { text, body: page } = await read(body.data.id, query);
      expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(6 * 2 ** 20);
      logs.push(...page.data.logs);
      if (!page.data.next_cursor) break;
      query = `?cursor=${page.data.next_cursor}`;
    }
    expect(logs.map(({ content }) => content)).toEqual(buildTurns(count).map(({ content }) => content[0]));
  });

  it('accepts a body of 4 MB, which is read in pages', async () => {
    const transcript = buildTurns(4_000).map((turn) => ({ ...turn, content: 'x'.repeat(950) + turn.id }));
    const { status, body } = await save({ transcript });
    expect(status).toBe(200);
    const first = await read(body.data.id);
    expect(first.status).toBe(200);
    expect(first.body.data.next_cursor).not.toBeNull();
    const second = await read(body.data.id, `?cursor=${first.body.data.next_cursor}`);
    expect(second.body.data.logs[0]?.index).toBe(first.body.data.logs.length);
    expect((await user.get<Listed>('/logs/chat-logs?limit=1')).status).toBe(200);
    const elsewhere = await save({});
    expect((await read(elsewhere.body.data.id, `?cursor=${first.body.data.next_cursor}`)).status).toBe(422);
  });

  it('accepts an item that exceeds a response, and returns its beginning', async () => {
    const { body } = await save({ transcript: [{ id: 'x', role: 'user', content: 'a'.repeat(3_200_000) }] });
    const reply = await read(body.data.id);
    expect(reply.status).toBe(200);
    expect(reply.body.data.logs[0]).toMatchObject({ content: 'a'.repeat(600_000), raw: { truncated: true } });
    expect((await user.get<Listed>('/logs/chat-logs?limit=1')).status).toBe(200);
  });

  it('accepts an item whose names exceed a response, and returns their beginning', async () => {
    const item = { type: 'function_call', name: '"'.repeat(1_000_000), call_id: '"'.repeat(500_000) };
    const { body } = await save({ transcript: [item] });
    const reply = await read(body.data.id);
    expect(reply.status).toBe(200);
    const label = '"'.repeat(1_000);
    expect(reply.body.data.logs[0]).toMatchObject({ name: label, call_id: label, raw: { truncated: true } });
    expect((await user.get<Listed>('/logs/chat-logs?limit=1')).status).toBe(200);
  });

  it.each<[object, string]>([
    [{ transcript: {} }, 'body.transcript: list_type'],
    [{ transcript: null }, 'body.transcript: list_type'],
    [{ transcript: [{}, 'hello'] }, 'body.transcript.1: dict_type'],
    [{ transcript: [[]] }, 'body.transcript.0: dict_type'],
    [{ transcript: buildTurns(10_001) }, 'body.transcript: too_long'],
    [{ room_name: '' }, 'body.room_name: string_too_short'],
    [{ room_name: 'r'.repeat(257) }, 'body.room_name: string_too_long'],
    [{ assistant_id: 'x' }, 'body.assistant_id: uuid_parsing'],
    [{ session_duration: -1 }, 'body.session_duration: greater_than_equal'],
    [{ session_duration: 'NaN' }, 'body.session_duration: float_parsing'],
    [{ session_duration: '1e300' }, 'body.session_duration: less_than_equal'],
    [{ session_duration: '' }, 'body.session_duration: float_parsing'],
    [{ session_duration: [] }, 'body.session_duration: float_type'],
    [{ started_at: 'yesterday' }, 'body.started_at: datetime_parsing'],
    [{ started_at: '2026-13-01T00:00:00Z' }, 'body.started_at: datetime_parsing'],
    [{ started_at: '2026-02-30T00:00:00Z' }, 'body.started_at: datetime_parsing'],
    [{ ended_at: '9999-12-31T23:59:59-01:00' }, 'body.ended_at: datetime_parsing'],
    [{ started_at: '1763708402' }, 'body.started_at: datetime_parsing'],
    [{ recording_url: 'http://example.com' }, 'body.recording_url: url_parsing'],
    [{ metadata: [] }, 'body.metadata: dict_type'],
    [{ metadata: { x: 'y'.repeat(16_384) } }, 'body.metadata: bytes_too_long'],
    [{ unknown: 'y'.repeat(16_384) }, 'body.metadata: bytes_too_long'],
  ])('rejects an invalid body (%#)', async (fields, fault) => {
    const reply = await save(fields);
    expect(reply.status).toBe(422);
    expect(listFaults(reply)).toEqual([fault]);
  });

  it("accepts the user's own assistants, up to a day after their deletion", async () => {
    for (const id of [(await createAssistant(other)).body.id, randomUUID()]) {
      const reply = await save({ assistant_id: id });
      expect([reply.status, listFaults(reply)]).toEqual([404, ['body.assistant_id: not_found']]);
    }
    const { body } = await createAssistant(user);
    await user.delete(`/assistants/${body.id}`);
    const last = await save({ assistant_id: body.id });
    expect([last.status, last.body.data.assistant_name]).toEqual([200, null]);
  });

  it('keeps the name of an assistant that is deleted during the call', async () => {
    const { body } = await createAssistant(user, { name: 'Gone soon' });
    const log = { assistant_id: body.id, room_name: randomUUID() };
    await save(log);
    await user.delete(`/assistants/${body.id}`);
    expect((await save({ ...log, transcript: buildTurns(3) })).body.data.assistant_name).toBe('Gone soon');
  });
});

describe('the same call', () => {
  const call = () => ({ room_name: `room ${randomUUID()}`, participant_name: 'Ana' });

  it('is stored once, and returns the same session when sent again', async () => {
    const log = { ...call(), session_duration: 5 };
    const first = await save(log);
    const again = await save({ ...log, session_duration: 9 });
    expect(again.body.data).toEqual(first.body.data);
    expect(listIds(await list(toRoomQuery(log.room_name)))).toEqual([first.body.data.id]);
  });

  it.each([3, 400])('with a longer transcript (%d turns) replaces the shorter version', async (count) => {
    const log = call();
    const { body: first } = await save({ ...log, transcript: buildTurns(2) });
    const { body: longer } = await save({ ...log, transcript: buildTurns(count), session_duration: 60 });
    expect(longer.data).toMatchObject({ id: first.data.id, created_at: first.data.created_at, message_count: count });
    const { data } = (await read(first.data.id)).body;
    expect(data.logs).toHaveLength(count);
    expect(data.session.session_duration).toBe(60);
    expect(listIds(await list(toRoomQuery(log.room_name)))).toEqual([first.data.id]);
    expect((await save({ ...log, transcript: buildTurns(count) })).body.data.id).toBe(first.data.id);
  });

  it('with a shorter or different transcript is a new session', async () => {
    const log = call();
    const { body: first } = await save({ ...log, transcript: buildTurns(4) });
    const otherwise = [...buildTurns(2), { id: 'x', role: 'user', content: 'Something else' }, ...buildTurns(2, 4)];
    for (const transcript of [buildTurns(3), otherwise]) {
      const own = (await save({ ...log, transcript })).body.data.id;
      expect(own).not.toBe(first.data.id);
      expect((await save({ ...log, transcript })).body.data.id).toBe(own); // the same session when sent again
    }
    expect((await read(first.data.id)).body.data.logs).toHaveLength(4);
    expect(listIds(await list(toRoomQuery(log.room_name)))).toHaveLength(3);
  });

  it.each([
    ['another room', { room_name: 'elsewhere' }],
    ['another participant', { participant_name: 'Ben' }],
    ['another start', { started_at: '2026-11-21T07:00:01Z' }],
  ])('is not a call with %s', async (_, different) => {
    const log = { ...call(), started_at: '2026-11-21T07:00:00Z' };
    const { body: first } = await save(log);
    expect((await save({ ...log, ...different })).body.data.id).not.toBe(first.data.id);
  });

  it('is recognized by its start in any notation', async () => {
    const log = { ...call(), transcript: [{ text: 'Hello' }] };
    const { body: first } = await save({ ...log, started_at: '2026-11-21T07:00:00Z' });
    expect((await save({ ...log, started_at: '2026-11-21T08:00:00.000+01:00' })).body.data.id).toBe(first.data.id);
  });

  it('without an anchor is always a new session, since every call starts with the same greeting', async () => {
    const log = call();
    for (const transcript of [[], [{ role: 'assistant', content: 'Hello!' }]]) {
      const [one, two] = [await save({ ...log, transcript }), await save({ ...log, transcript })];
      expect(one.body.data.id).not.toBe(two.body.data.id);
    }
  });

  it('with an Idempotency-Key is recognized by the key alone', async () => {
    const log = call();
    const key = { 'idempotency-key': randomUUID() };
    const first = await save(log, key);
    const again = await save(log, key);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    expect((await save(log, { 'idempotency-key': randomUUID() })).body.data.id).not.toBe(first.body.data.id);
    expect((await save({ ...log, transcript: buildTurns(3) }, key)).status).toBe(409);
  });

  it('in concurrent requests is one session', async () => {
    const log = call();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => save({ ...log, transcript: buildTurns(2 + (i % 2)) })),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const logs = (await read(replies[1]?.body.data.id ?? '')).body.data.logs;
    expect(logs).toHaveLength(3);
  });
});

describe.skipIf(deployed)('a transcript in S3', () => {
  /** Random transcript that stays large when compressed. */
  const transcript = Array.from({ length: 300 }, () => ({ id: randomUUID(), role: 'user', content: randomUUID() }));
  const createFileLister = async ({ sub }: Client) => {
    const { url } = await LocalIssuer.open(inject('dataDir'));
    return () => listObjectFiles(`transcripts/${toUserKey(url, sub)}`);
  };

  it('is one file after retries, and none after its session is deleted', async () => {
    const mine = await createUser();
    const files = await createFileLister(mine);
    const { body: own } = await createAssistant(mine);
    const log = { assistant_id: own.id, room_name: 'files', transcript };
    const key = { 'idempotency-key': randomUUID() };
    const { body } = await save(log, key, mine);
    for (let i = 0; i < 2; i++) {
      expect((await save(log, key, mine)).headers.get('idempotent-replay')).toBe('true');
    }
    expect(files()).toHaveLength(1);
    await mine.delete(`/logs/chat-logs/${body.data.id}`);
    expect(files()).toEqual([]);
  });

  it('replaces a short transcript in the table when the call gets longer', async () => {
    const log = { room_name: randomUUID(), participant_name: 'Ana' };
    const { body: short } = await save({ ...log, transcript: transcript.slice(0, 2) });
    const { body: long } = await save({ ...log, transcript });
    expect(long.data.id).toBe(short.data.id);
    expect((await read(long.data.id)).body.data.logs).toHaveLength(300);
  });

  it('that is missing hides its session', async () => {
    const mine = await createUser();
    const files = await createFileLister(mine);
    const { body: own } = await createAssistant(mine);
    const { body } = await save({ assistant_id: own.id, transcript }, {}, mine);
    for (const file of files()) rmSync(file);
    expect((await mine.get(`/logs/chat-logs/${body.data.id}`)).status).toBe(404);
    expect(listIds(await mine.get<Listed>('/logs/chat-logs'))).toEqual([]);
  });
});

describe('reading sessions', () => {
  it('sorts and filters by the start of the call in every list', async () => {
    const name = `late ${randomUUID()}`;
    const hour = 3_600_000;
    const at = (ago: number) => new Date(Date.now() - ago).toISOString();
    const post = async (started_at: string | undefined, i: number) =>
      (await save({ room_name: name, started_at, transcript: buildTurns(2, 10 * i) })).body.data;
    // Two calls that a worker saved late, one from a fast clock, one from an unset clock, and one without a start.
    const [hours, days, ahead, unset, none] = [
      await post(at(3 * hour), 0),
      await post(at(50 * hour), 1),
      await post(at(-5 * hour), 2),
      await post('1970-01-01T00:00:07Z', 3),
      await post(undefined, 4),
    ];
    const ids = [none, unset, ahead, hours, days].map((session) => session?.session_id);
    await expect.poll(async () => listIds(await list(toRoomQuery(name)))).toEqual(ids);
    const [logs, chats] = [
      await user.get<Listed>(`/logs/chat-logs${toRoomQuery(name)}`),
      await user.get<{ data: { chats: Session[] } }>('/chat?limit=1000'),
    ];
    expect(listIds(logs)).toEqual(ids);
    const ours = chats.body.data.chats.map(({ session_id }) => session_id).filter((id) => ids.includes(id));
    expect(ours).toEqual(ids);
    expect(listIds(await list(`${toRoomQuery(name)}&to=${at(2 * hour)}`))).toEqual(ids.slice(3));
    expect(listIds(await list(`${toRoomQuery(name)}&from=${at(4 * hour)}`))).toEqual(ids.slice(0, 4));
    expect(Date.parse(days?.created_at ?? '')).toBeGreaterThan(Date.now() - hour); // the time of saving
  });

  it('filters by assistant, room and time, newest first, across pages', async () => {
    const { body: own } = await createAssistant(user);
    const name = `rooms ${randomUUID()}`;
    const made: Session[] = [];
    for (let i = 0; i < 5; i++) {
      const { body } = await save({
        assistant_id: i % 2 ? own.id : assistant_id,
        room_name: name,
        transcript: buildTurns(2, 10 * i),
        ...(i > 0 && { end_reason: `reason ${i}` }),
      });
      made.unshift(body.data);
    }
    const ids = made.map(({ session_id }) => session_id);
    const idTimes = ids.map((id) => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString());
    expect(made.map(({ created_at }) => created_at)).toEqual(idTimes);
    await expect.poll(async () => listIds(await list(toRoomQuery(name)))).toEqual(ids);
    await expect.poll(async () => listIds(await list(`?assistant_id=${own.id}`))).toEqual([ids[1], ids[3]]);
    expect(listIds(await list(`${toRoomQuery(name)}&assistant_id=${own.id}`))).toEqual([ids[1], ids[3]]);
    expect(listIds(await list(`${toRoomQuery(name)}&from=${made[2]?.created_at}`))).toEqual(ids.slice(0, 3));
    expect(listIds(await list(`${toRoomQuery(name)}&to=${made[3]?.created_at}`))).toEqual(ids.slice(3));
    expect(listIds(await list(`${toRoomQuery(name)}&from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z`))).toEqual([]);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Reply<Listed> = await list(`${toRoomQuery(name)}&limit=2${cursor && `&cursor=${cursor}`}`);
      walked.push(...listIds(page));
      cursor = page.body.data.next_cursor;
    }
    expect(walked).toEqual(ids);
    const { sessions } = (await list(toRoomQuery(name))).body.data;
    expect(sessions.map(({ end_reason }) => end_reason)).toEqual([
      'reason 4',
      'reason 3',
      'reason 2',
      'reason 1',
      null,
    ]);
    const { body: logs } = await user.get<Listed>(`/logs/chat-logs${toRoomQuery(name)}`);
    expect(logs.data.sessions.map(({ logs }) => logs?.length)).toEqual([2, 2, 2, 2, 2]);
    expect(listIds(await user.get<Listed>(`/logs/chat-logs?assistant_id=${own.id}`))).toEqual([ids[1], ids[3]]);
  });

  it('supports limit and skip, with a total', async () => {
    const mine = await createOtherUser();
    const { body: own } = await createAssistant(mine);
    const before = (await mine.get<{ data: { total: number } }>('/chat')).body.data.total;
    for (let i = 0; i < 3; i++) await save({ assistant_id: own.id }, {}, mine);
    const all = listIds(await list('', mine));
    const chats = async (query: string) => {
      const { body } = await mine.get<{ data: { chats: Session[]; total: number; has_more: boolean } }>(
        `/chat/${query}`,
      );
      return body.data;
    };
    expect(await chats('?limit=2')).toMatchObject({ total: before + 3, limit: 2, skip: 0, has_more: true });
    expect((await chats('?limit=2&skip=1')).chats.map(({ session_id }) => session_id)).toEqual(all.slice(1, 3));
    expect(await chats('?skip=10000')).toMatchObject({ chats: [], total: before + 3, has_more: false });
    await mine.delete(`/logs/chat-logs/${all[0]}`);
    expect(await chats('')).toMatchObject({ total: before + 2, limit: 50, skip: 0 });
  });

  it.each(['limit=0', 'limit=1001', 'limit=1e3', 'skip=-1', 'skip=10001'])('rejects /chat?%s', async (query) => {
    expect((await user.get(`/chat?${query}`)).status).toBe(422);
  });

  it("rejects another user's cursor and a damaged one", async () => {
    await save({});
    await save({});
    const { body } = await list('?limit=1');
    const cursor = body.data.next_cursor ?? '';
    for (const reply of [await list(`?cursor=${cursor}`, other), await list(`?cursor=${cursor}x`)]) {
      expect([reply.status, listFaults(reply)]).toEqual([422, ['query.cursor: cursor']]);
    }
  });

  it("returns 404 for an unknown or malformed id, and for another user's session", async () => {
    const { body } = await save({});
    for (const id of [randomUUID(), 'nonsense', 'x'.repeat(3_000), '%2e%2e']) {
      expect((await user.get(`/logs/chat-logs/${id}`)).status).toBe(404);
      expect((await user.delete(`/logs/chat-logs/${id}`)).status).toBe(404);
    }
    expect((await other.get(`/logs/chat-logs/${body.data.id}`)).status).toBe(404);
    expect((await other.delete(`/logs/chat-logs/${body.data.id}`)).status).toBe(404);
    expect((await read(body.data.id.toUpperCase())).body.data.session.session_id).toBe(body.data.id);
  });
});

describe('deleting a session', () => {
  it.each([2, 400])('removes the row and the transcript (%d turns), and the call can be saved again', async (count) => {
    const log = { room_name: `gone ${randomUUID()}`, transcript: buildTurns(count) };
    const { body: first } = await save(log);
    expect((await user.delete(`/logs/chat-logs/${first.data.id}`)).status).toBe(200);
    expect((await read(first.data.id)).status).toBe(404);
    expect((await user.delete(`/logs/chat-logs/${first.data.id}`)).status).toBe(404);
    await expect.poll(async () => listIds(await list(toRoomQuery(log.room_name)))).toEqual([]);
    const { body: second } = await save(log);
    expect(second.data.id).not.toBe(first.data.id);
  });
});
