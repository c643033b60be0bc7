import { createParser } from 'eventsource-parser';

/** Yields the data of each server-sent event. Cancels the body if the caller stops early. */
export async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  if (!body) return;
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
