import type { IncomingMessage } from 'node:http';

/** Bytes that a piece of an answer counts for at least. Each takes microseconds, and a server may send one byte in each. */
const minPieceBytes = 16;

/** Returns the bytes that a piece of an answer counts for. */
export const countBytes = (piece: Buffer): number => Math.max(piece.length, minPieceBytes);

/** Reads the beginning of an answer. Ends the connection if there is more. */
export async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += countBytes(chunk);
    if (size > maxBytes) break; // ends the connection
  }
  return { text: Buffer.concat(chunks).subarray(0, maxBytes).toString(), isCut: size > maxBytes };
}
