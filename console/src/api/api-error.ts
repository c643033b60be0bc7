/** One fault in a request, as the API reports it: its location, a message for people and a stable type for programs. */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
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
    super(faults.map(({ msg }) => msg).join('. ') || `Status ${status}`, options);
    this.name = 'ApiError';
    this.status = status;
    this.faults = faults;
    this.requestId = headers.get('x-request-id') ?? undefined;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/**
 * Ignores a 404 when deleting: the thing is gone already, for example deleted in another tab. Use as
 * `.catch(ignoreNotFound)`.
 */
export function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

/** True if reading again is pointless: the thing is gone (404) or the id in the URL is malformed (422). */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

const isFault = (one: unknown): one is Fault => {
  const { loc, msg, type } = (one ?? {}) as Partial<Fault>;
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
};

/** Returns the faults in an error's body. Empty if the body has another shape, such as a proxy's error page. */
export function parseFaults(body: unknown): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return Array.isArray(detail) ? detail.filter(isFault) : [];
}

/** Returns the form field that a fault belongs to: `['body', 'voice', 'language']` is `voice.language`. */
const toFieldName = ({ loc }: Fault): string | undefined => (loc[0] === 'body' ? loc.slice(1).join('.') : undefined);

/** Faults of a request, split into those that a form can show at a field and the rest. */
export interface SortedFaults {
  /** Message for each field. */
  fields: Record<string, string>;
  /** Faults that belong to no field of the form. */
  rest: Fault[];
}

/**
 * Splits faults into those that a form shows at its fields and the rest. A fault inside a field that is edited as a
 * whole, such as a key of `transport.sip_config`, belongs to that field.
 */
export function sortFaults(faults: Fault[], shown: readonly string[]): SortedFaults {
  const sorted: SortedFaults = { fields: {}, rest: [] };
  for (const fault of faults) {
    const location = toFieldName(fault);
    const field = shown.find((name) => location === name || location?.startsWith(`${name}.`));
    if (field === undefined) sorted.rest.push(fault);
    else sorted.fields[field] = sorted.fields[field] ? `${sorted.fields[field]}. ${fault.msg}` : fault.msg;
  }
  return sorted;
}

/** Returns a fault as a sentence, prefixed with its location if it has one. */
export function formatFault({ loc, msg }: Fault): string {
  const location = loc.slice(1).join(' › ');
  return location === '' ? msg : `${location}: ${msg}`;
}
