// Asks an assistant, and shows its answer as it comes: node chat.mjs ASSISTANT_ID "When do you open?"
import { ApiError, createClient } from 'voice-assistants-client';

const { VA_URL: baseUrl = '', VA_TOKEN: token = '' } = process.env;
const client = createClient({ baseUrl, token });
const [model = '', content = 'When do you open?'] = process.argv.slice(2);

try {
  for await (const piece of client.streamCompletion({ model, messages: [{ role: 'user', content }] }))
    process.stdout.write(piece.choices[0]?.delta.content ?? '');
  console.log();
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  console.error(`${error.message} (request ${error.requestId})`);
  process.exitCode = 1;
}
