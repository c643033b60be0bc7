/** One fault, as the service tells it: where, for people, and a stable name for programs. */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

/** A request that failed. */
export class Problem extends Error {
  /** The status of the answer; 0 where none came. */
  readonly status: number;
  readonly faults: Fault[];
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the same request may succeed. */
  readonly retryAfter: number | undefined;

  constructor(status: number, faults: Fault[], headers: Headers = new Headers(), options?: ErrorOptions) {
    super(faults.map(({ msg }) => msg).join('. ') || `Status ${status}`, options);
    this.name = 'Problem';
    this.status = status;
    this.faults = faults;
    this.requestId = headers.get('x-request-id') ?? undefined;
    const seconds = Number(headers.get('retry-after') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/** Takes it well where what was to go is gone already, as by another tab: that is what was wanted. For a promise's `catch`. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof Problem && error.status === 404)) throw error;
}

/** Whether it is no use to read the same again: what the address names is gone, or never was. */
export const isNowhere = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 404 || error.status === 422);

const isFault = (one: unknown): one is Fault => {
  const { loc, msg, type } = (one ?? {}) as Partial<Fault>;
  return Array.isArray(loc) && typeof msg === 'string' && typeof type === 'string';
};

/** The faults that an error's body names. None of a body that has another shape, such as a proxy's page. */
export function faultsIn(body: unknown): Fault[] {
  const { detail } = (body ?? {}) as { detail?: unknown };
  return Array.isArray(detail) ? detail.filter(isFault) : [];
}

/** Where in a body a fault is, as a form names its fields: `['body', 'voice', 'language']` is `voice.language`. */
const fieldOf = ({ loc }: Fault): string | undefined => (loc[0] === 'body' ? loc.slice(1).join('.') : undefined);

/** The faults of a problem, told apart. */
export interface SortedFaults {
  /** What to say at each field. */
  fields: Record<string, string>;
  /** What no field can show. */
  rest: Fault[];
}

/**
 * Sorts the faults of a problem into those that a form shows at its fields and the rest. A fault inside a field that is
 * edited as a whole, such as a key of `transport.sip_config`, belongs to that field.
 */
export function sortFaults(faults: Fault[], shown: readonly string[]): SortedFaults {
  const sorted: SortedFaults = { fields: {}, rest: [] };
  for (const fault of faults) {
    const place = fieldOf(fault);
    const field = shown.find((name) => place === name || place?.startsWith(`${name}.`));
    if (field === undefined) sorted.rest.push(fault);
    else sorted.fields[field] = sorted.fields[field] ? `${sorted.fields[field]}. ${fault.msg}` : fault.msg;
  }
  return sorted;
}

/** A fault in a sentence, with its place where it has one. */
export function sentenceOf({ loc, msg }: Fault): string {
  const place = loc.slice(1).join(' › ');
  return place === '' ? msg : `${place}: ${msg}`;
}
