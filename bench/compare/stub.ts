import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Stub {
  url: string;
  stop(): void;
}

/**
 * In the place of DynamoDB: answers at once, so that only what is before and behind it differs. Whatever is read, is the first
 * item that was written.
 */
export async function startStub(): Promise<Stub> {
  let item: unknown;
  const answerOf = (deed: string, input: { Item?: unknown; ReturnConsumedCapacity?: string }): object => {
    if (deed === 'PutItem') item ??= input.Item;
    else if (deed !== 'GetItem') throw new Error(`The stub does not know ${deed}`);
    return {
      ...(deed === 'GetItem' && { Item: item }),
      ...(input.ReturnConsumedCapacity && { ConsumedCapacity: { TableName: 'assistants', CapacityUnits: 1 } }),
    };
  };
  const deedOf = ({ headers }: IncomingMessage) => String(headers['x-amz-target']).split('.')[1] ?? '';
  const server = createServer(async (request, response) => {
    const answer = JSON.stringify(answerOf(deedOf(request), JSON.parse(await text(request))));
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(answer) })
      .end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
