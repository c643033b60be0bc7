import fc from 'fast-check';
import { command, type Model, newestFirst, nth, type Session, same } from './model.ts';

interface Shown {
  session_id: string;
  room_name: string;
  assistant_id: string;
  message_count: number;
}

const some = ({ sessions }: Model) => sessions.size > 0;
const pick = fc.nat(20);
const turns = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `turn ${i}`,
    role: i % 2 ? 'user' : 'assistant',
    content: `Turn ${i}`,
  }));

const told = ({ session_id, room_name, assistant_id, message_count }: Shown): Session => ({
  id: session_id,
  room: room_name,
  assistant: assistant_id,
  messages: message_count,
});

const inOrder = (sessions: Model['sessions'], wanted: (session: Session) => boolean = () => true) =>
  newestFirst(sessions.keys())
    .flatMap((id) => sessions.get(id) ?? [])
    .filter(wanted);

const saveFirst = command(
  'save a call',
  fc.record({ pick, count: fc.integer({ min: 1, max: 4 }) }),
  ({ assistants }) => assistants.size > 0,
  async (model, client, { pick, count }) => {
    model.rooms += 1;
    const room = `room ${model.rooms}`;
    const assistant = nth(model.assistants, pick).id;
    const body = { assistant_id: assistant, room_name: room, transcript: turns(count) };
    const { json } = await client.call<{ data: Shown }>('logs/create', { body });
    const session = { id: json.data.session_id, room, assistant, messages: count };
    same('the session', told(json.data), session);
    model.sessions.set(session.id, session);
  },
);

/** The same call again, as long or longer: it is the same session. */
const saveAgain = command(
  'save a call again',
  fc.record({ pick, more: fc.nat(3) }),
  some,
  async ({ sessions }, client, { pick, more }) => {
    const session = nth(sessions, pick);
    const body = {
      assistant_id: session.assistant,
      room_name: session.room,
      transcript: turns(session.messages + more),
    };
    const { json } = await client.call<{ data: Shown }>('logs/create', { body });
    session.messages += more;
    same('the session', told(json.data), session);
  },
);

const get = command('read the logs of a session', pick, some, async ({ sessions }, client, pick) => {
  const session = nth(sessions, pick);
  const { json } = await client.call<{ data: { session: Shown; logs: { content: string }[] } }>('logs/get', {
    params: { session_id: session.id },
  });
  same('the session', told(json.data.session), session);
  same(
    'its logs',
    json.data.logs.map(({ content }) => content),
    turns(session.messages).map(({ content }) => content),
  );
});

const remove = command('delete a session', pick, some, async ({ sessions }, client, pick) => {
  const { id } = nth(sessions, pick);
  const call = { params: { session_id: id } };
  await client.call('logs/delete', call);
  sessions.delete(id);
  await client.call('logs/get', call, 404);
});

const list = command(
  'list the sessions',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), by: fc.constantFrom('', 'room', 'assistant'), pick }),
  some,
  async ({ sessions }, client, { limit, by, pick }) => {
    const { room, assistant } = nth(sessions, pick);
    const filter: Record<string, string> =
      by === 'room' ? { room_name: room } : by === 'assistant' ? { assistant_id: assistant } : {};
    const found: Session[] = [];
    const query = { limit: String(limit), ...filter };
    for await (const { data } of client.pages<{ data: { sessions: Shown[] } }>('logs/sessions', { query })) {
      found.push(...data.sessions.map(told));
    }
    const wanted = (one: Session) =>
      by === 'room' ? one.room === room : by === 'assistant' ? one.assistant === assistant : true;
    same('the sessions', found, inOrder(sessions, wanted));
  },
);

const chats = command(
  'list the chats',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), skip: fc.nat(4) }),
  () => true,
  async ({ sessions }, client, { limit, skip }) => {
    const query = { limit: String(limit), skip: String(skip) };
    const { json } = await client.call<{ data: { chats: Shown[]; total: number; has_more: boolean } }>('chats/list', {
      query,
    });
    const { chats, total, has_more } = json.data;
    same('the chats', chats.map(told), inOrder(sessions).slice(skip, skip + limit));
    same('how many there are', [total, has_more], [sessions.size, skip + limit < sessions.size]);
  },
);

export const sessionCommands = [saveFirst, saveFirst, saveAgain, get, remove, list, chats];
