import { once } from 'node:events';
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The fate of a request: it passes, or fails in a way that real services fail. */
export type Fault =
  | 'pass'
  /** Throttled by the service. */
  | 'throttle'
  /** Internal error of the service. */
  | 'fail'
  /** Write rejected because another transaction holds the item. */
  | 'conflict'
  /** Connection reset before the service receives the request. */
  | 'reset'
  /** Request carried out, but its response is lost. */
  | 'lose'
  /** Request never answered. */
  | 'hang'
  /** Request carried out, but answered with what this callback makes of its answer. */
  | { changeAnswer: (answer: Record<string, unknown>) => object }
  /** Request carried out, then this callback awaited before the response is sent. */
  | { answerAfter: () => Promise<unknown> };

export interface FaultyProxy {
  url: string;
  /** Returns the fault for a request, given its operation such as `PutItem`, or its method for S3. */
  decide: (operation: string, body: Buffer) => Fault | Promise<Fault>;
  /** Operations received, in order. */
  seen: string[];
  stop(): void;
}

const serviceErrors = {
  throttle: { dynamoDb: [400, 'ThrottlingException'], s3: [503, 'SlowDown'] },
  fail: { dynamoDb: [500, 'InternalServerError'], s3: [500, 'InternalError'] },
} as const;

/** Sends an error in the format of DynamoDB or S3. */
function sendError({ headers }: IncomingMessage, response: ServerResponse, fault: keyof typeof serviceErrors): void {
  if (headers['x-amz-target'] === undefined) {
    const [status, code] = serviceErrors[fault].s3;
    const error = `<Error><Code>${code}</Code><Message>injected</Message></Error>`;
    response.writeHead(status, { 'content-type': 'application/xml' }).end(error);
  } else {
    const [status, type] = serviceErrors[fault].dynamoDb;
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'injected' }));
  }
}

/** Builds DynamoDB's error for an item that another transaction holds. dynoxide runs requests one at a time and never answers it. */
function buildConflictError(operation: string, body: Buffer): object {
  if (operation !== 'TransactWriteItems') return { __type: 'TransactionConflictException', message: 'injected' };
  const [, ...others] = JSON.parse(body.toString()).TransactItems;
  const CancellationReasons = [{ Code: 'TransactionConflict' }, ...others.map(() => ({ Code: 'None' }))];
  return { __type: 'TransactionCanceledException', message: 'injected', CancellationReasons };
}

/**
 * Forwards a request unchanged, including its signed `Host` header, and returns the service's response. Over a connection of its own, since
 * the service may just be closing an idle one.
 */
async function forward(target: URL, { method, url, headers }: IncomingMessage, body: Buffer) {
  const { hostname: host, port } = target;
  const request = ask({ host, port, method, path: url, headers, agent: false }).end(body);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

/** Starts a proxy in front of AWS services. Its `decide` callback injects faults. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const proxy: FaultyProxy = { url: '', decide: () => 'pass', seen: [], stop: () => server.close() };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    // Tests disturb functions. A host behind the proxy finds no stream, so that its relay takes no faults.
    if (String(request.headers['x-amz-target']).startsWith('DynamoDBStreams')) {
      return response.writeHead(400).end(JSON.stringify({ __type: 'ResourceNotFoundException' }));
    }
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? request.method ?? '';
    proxy.seen.push(operation);
    const fault = await proxy.decide(operation, body);
    if (response.destroyed) return; // the client timed out and retries
    if (fault === 'throttle' || fault === 'fail') return sendError(request, response, fault);
    if (fault === 'conflict') {
      const type = { 'content-type': 'application/x-amz-json-1.0' };
      return response.writeHead(400, type).end(JSON.stringify(buildConflictError(operation, body)));
    }
    if (fault === 'reset') return request.socket.destroy();
    if (fault === 'hang') return;
    const answer = await forward(new URL(target), request, body).catch(() => undefined);
    if (fault === 'lose' || !answer) return request.socket.destroy(); // as the service has, without an answer
    if (typeof fault === 'object' && 'changeAnswer' in fault) {
      const changed = fault.changeAnswer(JSON.parse(answer.body.toString()));
      return response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(changed));
    }
    if (typeof fault === 'object') await fault.answerAfter();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  server.keepAliveTimeout = 0; // otherwise a client may reuse a connection that is about to close
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
