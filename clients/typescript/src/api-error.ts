/** One fault in a request, as the API reports it: its location, a message for people and a stable type for programs. */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

/** Parses the header `Retry-After`, which holds seconds or a date. Undefined if it is neither. */
function parseRetryAfter(text: string): number | undefined {
  if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Number(text);
  const time = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, (time - Date.now()) / 1000);
}

/** Returns a fault with its place in the request: `body.name: Input should not be blank`. */
const describeFault = ({ loc, msg }: Fault) => [loc.join('.'), msg].filter((part) => part !== '').join(': ');

/** Returns all faults in one sentence, after the status. Errors of the client itself have no status and no place. */
function describeFaults(status: number, faults: Fault[]): string {
  if (status === 0) return faults.map(({ msg }) => msg).join('; ') || 'No answer';
  return `${status}: ${faults.map(describeFault).join('; ') || 'no explanation: is this the URL of the API?'}`;
}

/** A request that failed. */
export class ApiError extends Error {
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  readonly faults: Fault[];
  /** Id of the request in the API's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    faults: Fault[],
    headers = new Headers(),
    options: ErrorOptions & { message?: string } = {},
  ) {
    super(options.message ?? describeFaults(status, faults), options);
    this.name = 'ApiError';
    this.status = status;
    this.faults = faults;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfter = parseRetryAfter(headers.get('retry-after') ?? '');
  }

  /** Stable type of the first fault, such as `not_found`, for programs. */
  get type(): string | undefined {
    return this.faults[0]?.type;
  }
}

/** Returns the reason why no response came: a code such as `ECONNREFUSED`, or the message of its innermost cause. */
function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'timed out';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return code;
  return error.cause === undefined ? error.message : describeCause(error.cause);
}

/** Creates the error for a request that got no response, or one that is not JSON. */
export function createUnreachableError(cause: unknown, url = 'the API'): ApiError {
  const message =
    cause instanceof SyntaxError
      ? `The answer of ${url} is not JSON: is this the URL of the API?`
      : `No answer from ${url}: ${describeCause(cause)}`;
  return new ApiError(0, [], undefined, { cause, message });
}

const isFault = (one: unknown): one is Fault => {
  const { loc, msg, type } = (one ?? {}) as Partial<Fault>;
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
};

/** Returns the faults in an error's body. Empty if the body has another shape, such as a proxy's error page. */
export function parseFaults(body: unknown): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return Array.isArray(detail) ? detail.filter(isFault) : [];
}
