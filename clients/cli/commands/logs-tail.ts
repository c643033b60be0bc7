import type { components } from '../../typescript/src/schema.d.ts';
import { command } from '../command.ts';
import { findAssistantId } from '../find-assistant.ts';
import { followEvents } from '../follow-events.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, toJson, toLine } from '../terminal.ts';

/** An event, as the client reads it. */
type Event = components['schemas']['Event'];

/** True for an event of a call, or of a turn of a chat that is saved. */
const isOfLogs = ({ type, data }: Event) =>
  type.startsWith('call.') || (type === 'completion.done' && typeof data.session_id === 'string');

/** Formats an event in one line, which ends with the id of the call or chat. */
function formatEvent({ created_at, type, data, subject }: Event): string {
  const { room_name: room, session_duration: seconds, duration_ms: ms, end_reason: reason, session_id: chat } = data;
  const took =
    typeof ms === 'number' ? `${ms} ms` : typeof seconds === 'number' ? `${Math.round(seconds)} s` : undefined;
  return toLine([created_at, type, room, took, reason, chat ?? subject.id].filter(Boolean).join(' '));
}

export const logsTail = command({
  summary: 'Show calls and saved chats as they come',
  args: '',
  count: [0, 0],
  details: 'Ctrl-C ends. An API key needs the scope events.',
  options: {
    assistant: { type: 'string', value: 'ASSISTANT', help: 'Only those of an assistant: its id, file, or name' },
    json: { type: 'boolean', help: 'One JSON object per line: the event' },
    ...connectOptions,
  },
  async run(_, { assistant, json, ...values }) {
    const { client } = await connect(values);
    const id = assistant === undefined ? undefined : await findAssistantId(client, assistant);
    for await (const event of followEvents(client, () => note('Waiting for calls (Ctrl-C ends)'))) {
      if (!isOfLogs(event) || (id !== undefined && event.data.assistant_id !== id)) continue;
      print(json ? toJson(event) : formatEvent(event));
    }
  },
});
