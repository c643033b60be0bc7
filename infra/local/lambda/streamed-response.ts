import type { APIGatewayProxyResult } from 'aws-lambda';

/** Takes the next piece of a function's response stream. Resolves when it may write on. */
export type WriteChunk = (chunk: Buffer) => Promise<void>;

/** Status and headers, which stand before the body in a response stream. */
export type ResponseHead = Pick<APIGatewayProxyResult, 'statusCode' | 'headers'>;

/** Ends the head. */
const headEnd = Buffer.alloc(8);

/**
 * Creates a function that takes the pieces of a response stream. Passes the head to `onHead`, and then each piece of the body to `onBody`.
 */
export function splitHead(onHead: (head: ResponseHead) => void, onBody: WriteChunk): WriteChunk {
  let start: Buffer | undefined = Buffer.alloc(0);
  return async (chunk) => {
    if (!start) return onBody(chunk);
    start = Buffer.concat([start, chunk]);
    const end = start.indexOf(headEnd);
    if (end < 0) return;
    const [head, rest] = [start.subarray(0, end), start.subarray(end + headEnd.length)];
    start = undefined;
    onHead(JSON.parse(head.toString()));
    if (rest.length > 0) await onBody(rest);
  };
}

/** Converts a complete response stream to the result of a function that does not stream. */
export async function toProxyResult(chunks: readonly Buffer[]): Promise<APIGatewayProxyResult> {
  const body: Buffer[] = [];
  let head: ResponseHead = { statusCode: 0 };
  const write = splitHead(
    (found) => {
      head = found;
    },
    async (chunk) => {
      body.push(chunk);
    },
  );
  for (const chunk of chunks) await write(chunk);
  return { ...head, body: Buffer.concat(body).toString() };
}
