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

/** A request that failed. */
export class ApiError extends Error {
  /** Status of the response; 0 if there was none. */
  readonly status: number;
  readonly faults: Fault[];
  /** Id of the request in the API's logs. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, faults: Fault[], headers: Headers = new Headers(), options?: ErrorOptions) {
    super(faults.map(({ msg }) => msg).join('. ') || (status === 0 ? 'No response' : `Status ${status}`), options);
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

/** Creates the error for a request that got no response. */
export const createUnreachableError = (cause: unknown): ApiError => new ApiError(0, [], undefined, { cause });

const isFault = (one: unknown): one is Fault => {
  const { loc, msg, type } = (one ?? {}) as Partial<Fault>;
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
};

/** Returns the faults in an error's body. Empty if the body has another shape, such as a proxy's error page. */
export function parseFaults(body: unknown): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return Array.isArray(detail) ? detail.filter(isFault) : [];
}
