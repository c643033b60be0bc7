import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { toPrintableLine } from '../../../shared/domain/printable.ts';
import { BodyTooLarge, readBody } from '../../local/body.ts';
import { checkSignature } from './check-signature.ts';

/** Maximum size of a delivery, in bytes. */
const maxBytes = 1_000_000;

const webhookId = /^[\w-]{1,64}$/;

/** Returns the status for a request that is no delivery: from a page in a browser, or not a POST. Undefined for one that may be. */
function findRefusal({ method, headers }: IncomingMessage): number | undefined {
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 403;
  return method === 'POST' ? undefined : 405;
}

/** Creates a handler of requests that checks the signatures of deliveries with `secret`, if any, and prints them. Answers the first `failures` with 500. */
export function createWebhookReceiver(
  { secret, failures }: { secret?: string | undefined; failures: number },
  print: (text: string) => void,
): RequestListener {
  let failuresLeft = failures;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = findRefusal(request);
    if (refusal !== undefined) return void response.writeHead(refusal, { connection: 'close' }).end();
    const { headers } = request;
    const body = (await readBody(request, maxBytes)).toString();
    const result = checkSignature(secret, body, headers as Record<string, string>);
    const status = failuresLeft > 0 ? 500 : 200;
    failuresLeft -= 1;
    response.writeHead(status).end();
    const id = String(headers['webhook-id'] ?? '');
    const title = `${webhookId.test(id) ? id : 'not a webhook'}: ${result}, answered ${status}`;
    print(`${toPrintableLine(title)}\n${toPrintableLine(body)}\n`); // one line each: neither must forge a title
  }

  return (request, response) =>
    void receive(request, response).catch((error) => {
      response.writeHead(error instanceof BodyTooLarge ? 413 : 400).end();
    });
}
