import type { IncomingMessage } from 'node:http';

/** Limit of the pieces in which an answer comes. Each takes microseconds, and a server may send one byte in each. */
export const maxPieces = 100_000;

/** Reads the beginning of an answer. Ends the connection if there is more. */
export async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isCut = false;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    isCut = size > maxBytes || chunks.length > maxPieces;
    if (isCut) break; // ends the connection
  }
  return { text: Buffer.concat(chunks).subarray(0, maxBytes).toString(), isCut };
}
