/** A body that is larger than its reader accepts. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body to its end, so that the client can read an error response, but buffers at most `maxBytes`. Throws BodyTooLarge if the
 * body is larger.
 */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > maxBytes) throw new BodyTooLarge();
  return Buffer.concat(chunks);
}
