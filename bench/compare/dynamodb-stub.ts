import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Stub {
  url: string;
  stop(): void;
}

/** Request of an operation that the stub supports. */
interface Input {
  Item?: unknown;
  TransactItems?: { Put?: { Item: unknown } }[];
  ReturnConsumedCapacity?: string;
}

/**
 * Starts a stub of DynamoDB that responds immediately, so that measurements only include the client. Every read returns the first item
 * that was written.
 */
export async function startStub(): Promise<Stub> {
  let item: unknown;
  const buildResponse = (action: string, input: Input): object => {
    const written = action === 'TransactWriteItems' ? input.TransactItems?.[0]?.Put?.Item : input.Item;
    if (action === 'PutItem' || action === 'TransactWriteItems') item ??= written;
    else if (action !== 'GetItem') throw new Error(`The stub does not support ${action}`);
    const capacity = { TableName: 'assistants', CapacityUnits: 1 };
    return {
      ...(action === 'GetItem' && { Item: item }),
      ...(input.ReturnConsumedCapacity && {
        ConsumedCapacity: action === 'TransactWriteItems' ? [capacity] : capacity,
      }),
    };
  };
  const getAction = ({ headers }: IncomingMessage) => String(headers['x-amz-target']).split('.')[1] ?? '';
  const server = createServer(async (request, response) => {
    const answer = JSON.stringify(buildResponse(getAction(request), JSON.parse(await text(request))));
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
