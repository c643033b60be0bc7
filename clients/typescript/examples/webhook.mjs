// Receives webhooks: WEBHOOK_SECRET=whsec_… node webhook.mjs
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookError } from 'voice-assistants-client';

const secret = process.env.WEBHOOK_SECRET ?? '';

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook({ secret, headers: request.headers, body: await buffer(request) });
    response.writeHead(204).end(); // first accept, then work
    console.log(event.type, event.data.id);
  } catch (error) {
    response.writeHead(error instanceof WebhookError ? 401 : 500).end();
    if (!(error instanceof WebhookError)) console.error(error);
  }
});
server.listen(Number(process.env.PORT ?? 4001), '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/`);
});
