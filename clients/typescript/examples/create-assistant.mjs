// Creates an assistant, publishes it, and lists all assistants with their ids.
import { createClient } from 'voice-assistants-client';

const { VA_URL: baseUrl = '', VA_TOKEN: token = '' } = process.env;
const client = createClient({ baseUrl, token });

const { data: assistant } = await client.POST('/assistants', {
  body: { name: 'Receptionist', system_instruction: 'You answer the phone of a dental clinic.' },
});
const path = { assistant_id: assistant.id };
const { data: published } = await client.POST('/assistants/{assistant_id}/versions', { params: { path } });
console.log(`Version ${published.data.version} is live`);

for await (const { id, name } of client.list('/assistants')) console.log(id, name);
