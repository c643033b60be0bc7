import type { IncomingMessage } from 'node:http';

/** Reads the beginning of an answer. Ends the connection if there is more. */
export async function readAnswer(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break; // ends the connection
  }
  return { text: Buffer.concat(chunks).subarray(0, maxBytes).toString(), isCut: size > maxBytes };
}
