import { command } from '../command.ts';
import { findAssistantId } from '../find-assistant.ts';
import { connect, connectOptions } from '../login/connect.ts';
import { print } from '../terminal.ts';

export const publish = command({
  summary: 'Make a version of the draft of an assistant, and let calls have it',
  args: 'ASSISTANT',
  count: [1, 1],
  details: 'ASSISTANT is an id, a file, or a name.',
  options: {
    note: { type: 'string', value: 'TEXT', help: 'What is new in this version' },
    'not-live': { type: 'boolean', help: 'Only make the version' },
    ...connectOptions,
  },
  async run([assistant = ''], { note: text, 'not-live': notLive, ...values }) {
    const { client } = await connect(values);
    const assistant_id = await findAssistantId(client, assistant);
    const { data } = await client.POST('/assistants/{assistant_id}/versions', {
      params: { path: { assistant_id } },
      body: { ...(text !== undefined && { note: text }), ...(notLive && { live: false }) },
    });
    print(`Version ${data.data.version} ${notLive ? 'is made, and not live' : 'is live'}`);
  },
});
