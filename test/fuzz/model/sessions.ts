import fc from 'fast-check';
import {
  type CountedCall,
  defineCommand,
  expectSame,
  isAlwaysPossible,
  type Model,
  pickNth,
  type Session,
  sortNewestFirst,
} from './model.ts';

interface PublicSession {
  session_id: string;
  room_name: string;
  assistant_id: string;
  message_count: number;
}

const hasSessions = ({ sessions }: Model) => sessions.size > 0;
const pick = fc.nat(20);
const buildTurns = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `turn ${i}`,
    role: i % 2 ? 'user' : 'assistant',
    content: `Turn ${i}`,
  }));

const toSession = ({ session_id, room_name, assistant_id, message_count }: PublicSession): Session => ({
  id: session_id,
  room: room_name,
  assistant: assistant_id,
  messages: message_count,
});

const listSessions = (sessions: Model['sessions'], isWanted: (session: Session) => boolean = () => true) =>
  sortNewestFirst(sessions.keys())
    .flatMap((id) => sessions.get(id) ?? [])
    .filter(isWanted);

const facts = fc.record({
  seconds: fc.nat(500),
  tokens: fc.nat(10_000),
  end: fc.constantFrom('hangup', 'Hang up!', 'ended by the caller'),
});
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;

/** Builds the log of a call, and what it adds to the usage. */
const buildLog = (assistant: string, room: string, messages: number, { seconds, tokens, end }: Facts) => ({
  body: {
    assistant_id: assistant,
    room_name: room,
    transcript: buildTurns(messages),
    session_duration: seconds,
    end_reason: end,
    usage: [{ type: 'llm_usage', provider: 'openai', model: 'gpt', input_tokens: tokens }],
  },
  counted: { assistant, messages, seconds, tokens, end: end.toLowerCase().match(/\w+/g)?.join('_') ?? '' },
});

const saveFirst = defineCommand(
  'save a call',
  fc.record({ pick, count: fc.integer({ min: 1, max: 4 }), facts }),
  ({ assistants }) => assistants.size > 0,
  async (model, client, { pick, count, facts }) => {
    model.rooms += 1;
    const room = `room ${model.rooms}`;
    const assistant = pickNth(model.assistants, pick).id;
    const { body, counted } = buildLog(assistant, room, count, facts);
    const { json } = await client.call<{ data: PublicSession }>('logs/create', { body });
    const session = { id: json.data.session_id, room, assistant, messages: count };
    expectSame('the session', toSession(json.data), session);
    model.sessions.set(session.id, session);
    model.counted.set(session.id, counted);
  },
);

/** Saves the same call again, with the same or a longer transcript. The session stays the same. */
const saveAgain = defineCommand(
  'save a call again',
  fc.record({ pick, more: fc.nat(3), facts }),
  hasSessions,
  async ({ sessions, counted: counts }, client, { pick, more, facts }) => {
    const session = pickNth(sessions, pick);
    const { body, counted } = buildLog(session.assistant, session.room, session.messages + more, facts);
    const { json } = await client.call<{ data: PublicSession }>('logs/create', { body });
    session.messages += more;
    expectSame('the session', toSession(json.data), session);
    if (more > 0) counts.set(session.id, counted); // an equal version changes nothing
  },
);

interface PublicUsage {
  calls: number;
  minutes: number;
  messages: number;
  tokens: { input: number };
}

const sum = (calls: CountedCall[], measure: (call: CountedCall) => number) =>
  calls.reduce((total, call) => total + measure(call), 0);

/** Returns the numbers of an answer that the model compares. */
const toFigures = ({ calls, minutes, messages, tokens }: PublicUsage) => [
  calls,
  Math.round(minutes * 60),
  messages,
  tokens.input,
];
const countCalls = (calls: CountedCall[]) => [
  calls.length,
  sum(calls, ({ seconds }) => seconds),
  sum(calls, ({ messages }) => messages),
  sum(calls, ({ tokens }) => tokens),
];

const usage = defineCommand(
  'read the usage',
  fc.boolean(),
  isAlwaysPossible,
  async ({ counted }, client, isGrouped) => {
    const calls = [...counted.values()];
    const byEnd = Map.groupBy(calls, ({ end }) => end);
    const { json } = await client.call<{ data: PublicUsage & { ended: Record<string, number> } }>('usage/stats');
    expectSame('the usage', toFigures(json.data), countCalls(calls));
    const ended = Object.entries(json.data.ended).sort();
    expectSame('the end reasons', ended, [...byEnd].map(([end, { length }]) => [end, length]).sort());
    if (!isGrouped) return;
    const query = { group_by: 'assistant', interval: 'month' };
    const { json: grouped } = await client.call<{ data: { series: (PublicUsage & { key: string })[] } }>(
      'analytics/usage',
      {
        query,
      },
    );
    const found = new Map<string, number[]>();
    for (const entry of grouped.data.series)
      found.set(
        entry.key,
        toFigures(entry).map((figure, i) => figure + (found.get(entry.key)?.[i] ?? 0)),
      );
    const byAssistant = [...Map.groupBy(calls, ({ assistant }) => assistant)];
    const expected = byAssistant.map(([id, calls]) => [id, countCalls(calls)]);
    expectSame('the usage by assistant', [...found].sort(), expected.sort());
  },
);

const get = defineCommand('read the logs of a session', pick, hasSessions, async ({ sessions }, client, pick) => {
  const session = pickNth(sessions, pick);
  const { json } = await client.call<{ data: { session: PublicSession; logs: { content: string }[] } }>('logs/get', {
    params: { session_id: session.id },
  });
  expectSame('the session', toSession(json.data.session), session);
  expectSame(
    'its logs',
    json.data.logs.map(({ content }) => content),
    buildTurns(session.messages).map(({ content }) => content),
  );
});

const remove = defineCommand('delete a session', pick, hasSessions, async ({ sessions }, client, pick) => {
  const { id } = pickNth(sessions, pick);
  const input = { params: { session_id: id } };
  await client.call('logs/delete', input);
  sessions.delete(id);
  await client.call('logs/get', input, 404);
});

const list = defineCommand(
  'list the sessions',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), by: fc.constantFrom('', 'room', 'assistant'), pick }),
  hasSessions,
  async ({ sessions }, client, { limit, by, pick }) => {
    const { room, assistant } = pickNth(sessions, pick);
    const filter: Record<string, string> =
      by === 'room' ? { room_name: room } : by === 'assistant' ? { assistant_id: assistant } : {};
    const found: Session[] = [];
    const query = { limit: String(limit), ...filter };
    for await (const { data } of client.listPages<{ data: { sessions: PublicSession[] } }>('logs/sessions', {
      query,
    })) {
      found.push(...data.sessions.map(toSession));
    }
    const isWanted = (one: Session) =>
      by === 'room' ? one.room === room : by === 'assistant' ? one.assistant === assistant : true;
    expectSame('the sessions', found, listSessions(sessions, isWanted));
  },
);

const chats = defineCommand(
  'list the chats',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), skip: fc.nat(4) }),
  () => true,
  async ({ sessions }, client, { limit, skip }) => {
    const query = { limit: String(limit), skip: String(skip) };
    const { json } = await client.call<{ data: { chats: PublicSession[]; total: number; has_more: boolean } }>(
      'chats/list',
      {
        query,
      },
    );
    const { chats, total, has_more } = json.data;
    expectSame('the chats', chats.map(toSession), listSessions(sessions).slice(skip, skip + limit));
    expectSame('the total', [total, has_more], [sessions.size, skip + limit < sessions.size]);
  },
);

export const sessionCommands = [saveFirst, saveFirst, saveAgain, get, remove, list, chats, usage];
