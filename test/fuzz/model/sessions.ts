import fc from 'fast-check';
import { defineCommand, expectSame, type Model, pickNth, type Session, sortNewestFirst } from './model.ts';

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

const saveFirst = defineCommand(
  'save a call',
  fc.record({ pick, count: fc.integer({ min: 1, max: 4 }) }),
  ({ assistants }) => assistants.size > 0,
  async (model, client, { pick, count }) => {
    model.rooms += 1;
    const room = `room ${model.rooms}`;
    const assistant = pickNth(model.assistants, pick).id;
    const body = { assistant_id: assistant, room_name: room, transcript: buildTurns(count) };
    const { json } = await client.call<{ data: PublicSession }>('logs/create', { body });
    const session = { id: json.data.session_id, room, assistant, messages: count };
    expectSame('the session', toSession(json.data), session);
    model.sessions.set(session.id, session);
  },
);

/** Saves the same call again, with the same or a longer transcript. The session stays the same. */
const saveAgain = defineCommand(
  'save a call again',
  fc.record({ pick, more: fc.nat(3) }),
  hasSessions,
  async ({ sessions }, client, { pick, more }) => {
    const session = pickNth(sessions, pick);
    const body = {
      assistant_id: session.assistant,
      room_name: session.room,
      transcript: buildTurns(session.messages + more),
    };
    const { json } = await client.call<{ data: PublicSession }>('logs/create', { body });
    session.messages += more;
    expectSame('the session', toSession(json.data), session);
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

export const sessionCommands = [saveFirst, saveFirst, saveAgain, get, remove, list, chats];
