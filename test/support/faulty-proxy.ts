import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What happens to a request: it passes, or goes wrong in one of the ways of a real service. */
export type Fault =
  | 'pass'
  /** Refused for going too fast. */
  | 'throttle'
  /** An internal error. */
  | 'fail'
  /** A write is refused, since another transaction holds the item. */
  | 'conflict'
  /** The connection breaks before anything happens. */
  | 'reset'
  /** It happens, but the answer is lost. */
  | 'lose'
  /** No answer, ever. */
  | 'hang'
  /** It happens, then this does, and only then its answer arrives. */
  | { answerAfter: () => Promise<unknown> };

export interface FaultyProxy {
  url: string;
  /** Decides on each request by the name of its operation, as `PutItem`; of S3, by its method. It waits for the decision. */
  decide: (operation: string, body: Buffer) => Fault | Promise<Fault>;
  /** The operations that came, in order. */
  seen: string[];
  stop(): void;
}

const refusals = {
  throttle: { dynamoDb: [400, 'ThrottlingException'], s3: [503, 'SlowDown'] },
  fail: { dynamoDb: [500, 'InternalServerError'], s3: [500, 'InternalError'] },
} as const;

/** Refuses a request as DynamoDB does, or S3. */
function refuse({ headers }: IncomingMessage, response: ServerResponse, fault: keyof typeof refusals): void {
  if (headers['x-amz-target'] === undefined) {
    const [status, code] = refusals[fault].s3;
    const error = `<Error><Code>${code}</Code><Message>injected</Message></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(error);
  } else {
    const [status, type] = refusals[fault].dynamoDb;
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'injected' }));
  }
}

/** What DynamoDB says where another transaction is at work on an item. dynoxide does one thing after the other, and never says so. */
function conflictOf(operation: string, body: Buffer): object {
  if (operation !== 'TransactWriteItems') return { __type: 'TransactionConflictException', message: 'injected' };
  const [, ...others] = JSON.parse(body.toString()).TransactItems;
  const CancellationReasons = [{ Code: 'TransactionConflict' }, ...others.map(() => ({ Code: 'None' }))];
  return { __type: 'TransactionCanceledException', message: 'injected', CancellationReasons };
}

/** The service's own answer. The request goes on as it came, its signed `Host` too. */
async function answerOf(target: URL, { method, url, headers }: IncomingMessage, body: Buffer) {
  const request = ask({ host: target.hostname, port: target.port, method, path: url, headers }).end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

/** Stands in front of services of AWS, and lets requests go wrong as a test decides. */
export async function faultyProxy(target: string): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { url: '', decide: () => 'pass', seen: [], stop: () => server.close() };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? request.method ?? '';
    proxy.seen.push(operation);
    const fault = await proxy.decide(operation, body);
    if (response.destroyed) return; // the client has given up, and asks again
    if (fault === 'throttle' || fault === 'fail') return refuse(request, response, fault);
    if (fault === 'conflict') {
      const type = { 'content-type': 'application/x-amz-json-1.0' };
      return response.writeHead(400, type).end(JSON.stringify(conflictOf(operation, body)));
    }
    if (fault === 'reset') return request.socket.destroy();
    if (fault === 'hang') return;
    const answer = await answerOf(new URL(target), request, body);
    if (fault === 'lose') return request.socket.destroy();
    if (typeof fault === 'object') await fault.answerAfter();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
