import { BodyTooLarge, readBody } from '../body.ts';
import { type Emulator, serve } from './emulator.ts';

const maxRequestBytes = 2 ** 20;

/** An error of a JSON service. Its message is the service's error name. */
export class ServiceError extends Error {}

/** Returns the status and error name for an error. Treats invalid input like invalid JSON. */
function toErrorAnswer(error: unknown): [status: number, type: string] {
  if (error instanceof ServiceError) return [400, error.message];
  if (error instanceof BodyTooLarge) return [413, 'RequestEntityTooLargeException'];
  if (error instanceof SyntaxError || error instanceof TypeError) return [400, 'SerializationException'];
  console.error(error);
  return [500, 'InternalFailure'];
}

/** Serves the operations of a JSON service. `prefix` precedes their names in the header `X-Amz-Target`. */
export const serveJson = (prefix: string, operations: Record<string, (input: never) => object>): Promise<Emulator> =>
  serve(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
    try {
      if (request.method !== 'POST') throw new ServiceError('UnknownOperationException');
      const body = await readBody(request, maxRequestBytes);
      const operation = operations[String(request.headers['x-amz-target']).replace(prefix, '')];
      if (!operation) throw new ServiceError('UnknownOperationException');
      answer(200, operation(JSON.parse(body.toString()) as never));
    } catch (error) {
      const [status, __type] = toErrorAnswer(error);
      answer(status, { __type });
    }
  });
