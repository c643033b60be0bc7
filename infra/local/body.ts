/** A body that is larger than its reader accepts. */
export class BodyTooLarge extends Error {}

/**
 * Reads a body to its end, so that the client can read an error response, but buffers at most `maxBytes`. Throws BodyTooLarge if the
 * body is larger.
 */
export async function readBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  let bytes = Buffer.alloc(0); // copied, because a chunk of one byte takes 360
  let size = 0;
  for await (const chunk of body) {
    const start = size;
    size += chunk.length;
    if (size > maxBytes) bytes = Buffer.alloc(0);
    else if (size > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(size, 2 * bytes.length)));
      bytes.copy(larger, 0, 0, start);
      bytes = larger;
    }
    chunk.copy(bytes, start);
  }
  if (size > maxBytes) throw new BodyTooLarge();
  return bytes.subarray(0, size);
}
