import { once } from 'node:events';
import { createServer } from 'node:http';
import { readArguments } from '../../terminal/arguments.ts';
import { run, UserError } from '../../terminal/user-error.ts';
import { createWebhookReceiver } from './webhook-receiver.ts';

const usage = `Usage: npm run listen -- [--port 4000] [--secret whsec_…] [--fail 3]
Receives webhooks, checks their signatures with --secret, and prints them. With --fail, answers the first ones with 500.`;

/** Receives webhooks on this machine, and prints them. */
run(async () => {
  const { values } = readArguments(usage, {
    options: {
      port: { type: 'string', default: '4000' },
      secret: { type: 'string' },
      fail: { type: 'string', default: '0' },
    },
  });
  const failures = Number(values.fail);
  if (!Number.isInteger(failures)) throw new UserError('--fail must be a whole number, for example --fail 3');
  const server = createServer(createWebhookReceiver({ secret: values.secret, failures }, console.log));
  server.listen(Number(values.port), '127.0.0.1');
  await once(server, 'listening').catch(() => {
    throw new UserError(`Port ${values.port} cannot be used: choose another, for example --port 4001`);
  });
  console.log(`Listening on http://127.0.0.1:${values.port} (Ctrl-C stops)`);
});
