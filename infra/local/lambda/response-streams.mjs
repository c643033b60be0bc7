// Response streams of Lambda's Node runtime: the global `awslambda`, by which a function says that it streams.
import { Writable } from 'node:stream';

/** Ends the head of an HTTP response in a stream. */
const headEnd = '\0'.repeat(8);

const streaming = new WeakSet();

/** Defines the global `awslambda`. Call it before a function's code loads. */
export function installResponseStreams() {
  globalThis.awslambda = {
    streamifyResponse(handler) {
      streaming.add(handler);
      return handler;
    },
    HttpResponseStream: {
      from(stream, head) {
        stream.write(JSON.stringify(head) + headEnd);
        return stream;
      },
    },
  };
}

/** True if a handler takes a response stream: `handler(event, stream, context)`. */
export const isStreaming = (handler) => streaming.has(handler);

/** Creates the response stream of one invocation. `send` gets each chunk, and resolves when the next may come. */
export const createResponseStream = (send) =>
  new Writable({
    write(chunk, _encoding, done) {
      send(chunk).then(() => done(), done);
    },
  });
