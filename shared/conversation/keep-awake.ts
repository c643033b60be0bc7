/** Time without anything to send after which a comment is sent, so that proxies keep the connection, in milliseconds. */
const pauseMs = 15_000;

/** A comment in an event stream, which clients skip. */
const comment = ': waiting\n\n';

/**
 * Passes on what a stream yields, with comments while it yields nothing. Calls `onEnd` when it ends, or when nobody reads it any more, even
 * while it waits for what comes next.
 */
export async function* keepAwake(
  source: AsyncIterable<string>,
  onEnd: () => void,
  ms = pauseMs,
): AsyncGenerator<string> {
  const pieces = source[Symbol.asyncIterator]();
  try {
    let next = pieces.next();
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const pause = new Promise<undefined>((resolve) => {
        timer = setTimeout(resolve, ms, undefined);
      });
      const piece = await Promise.race([next, pause]);
      clearTimeout(timer);
      if (piece?.done) return;
      yield piece ? piece.value : comment;
      if (piece) next = pieces.next();
    }
  } finally {
    onEnd();
  }
}
