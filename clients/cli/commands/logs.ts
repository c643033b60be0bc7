import { command } from '../command.ts';
import { UsageError } from '../errors.ts';
import { findAssistantId } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { print, printTable, toJson } from '../terminal.ts';

/** Parses a number of calls. Throws UsageError. */
function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= 1000) return limit;
  throw new UsageError('--limit should be a number from 1 to 1000');
}

const formatSeconds = (seconds: number | null) => (seconds === null ? '–' : `${Math.round(seconds)} s`);

export const logs = command({
  summary: 'List your last calls and saved chats',
  args: '',
  count: [0, 0],
  options: {
    assistant: { type: 'string', value: 'ASSISTANT', help: 'Only those of an assistant: its id, file, or name' },
    limit: { type: 'string', value: 'NUMBER', help: 'How many, by default 20' },
    json: { type: 'boolean', help: 'One JSON object per line, with all fields' },
    ...connectOptions,
  },
  async run(_, { assistant, limit: limitText = '20', json, ...values }) {
    const limit = parseLimit(limitText);
    const { client } = await connect(values);
    const assistant_id = assistant === undefined ? undefined : await findAssistantId(client, assistant);
    const query = { limit, ...(assistant_id && { assistant_id }) };
    const { data } = await client.GET('/logs/chat-sessions', { params: { query } });
    const { sessions } = data.data;
    if (json) for (const session of sessions) print(toJson(session));
    else if (sessions.length === 0) print('No calls yet');
    else
      printTable([
        ['STARTED', 'LASTED', 'MESSAGES', 'ROOM', 'ID'],
        ...sessions.map((session) => [
          session.started_at ?? session.created_at ?? '',
          formatSeconds(session.session_duration),
          String(session.message_count),
          session.room_name,
          session.session_id,
        ]),
      ]);
  },
});
