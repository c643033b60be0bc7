import { command } from '../command.ts';
import { findAssistantId } from '../find-assistant.ts';
import { followEvents } from '../follow-events.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { note, print, toJson, toLine } from '../terminal.ts';

export const logsTail = command({
  summary: 'Show calls as they are saved',
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
      if (!event.type.startsWith('call.') || (id !== undefined && event.data.assistant_id !== id)) continue;
      if (json) print(toJson(event));
      else {
        const { room_name: room = '', session_duration: seconds, end_reason: reason } = event.data;
        const details = [room, typeof seconds === 'number' ? `${Math.round(seconds)} s` : '', reason ?? ''];
        print(
          toLine([event.created_at, event.type, ...details, event.subject.id].filter((one) => one !== '').join(' ')),
        );
      }
    }
  },
});
