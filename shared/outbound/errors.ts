/** Thrown if the address is not on the public internet. */
export class ForbiddenAddress extends Error {}

/** Thrown if no complete answer came. `code` is a stable name of the reason, such as `timeout` or `ECONNRESET`. */
export class NoAnswer extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`No answer: ${code}`);
    this.code = code;
  }
}

/** Converts an error of a request to ForbiddenAddress or NoAnswer. `signal` is what ends it. */
export function toOutboundError(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new NoAnswer('timeout');
  if (error instanceof ForbiddenAddress) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  // request-filtering-agent has no class for its errors.
  if (code === undefined && message.includes('is not allowed')) return new ForbiddenAddress();
  return new NoAnswer(code ?? 'unknown');
}
