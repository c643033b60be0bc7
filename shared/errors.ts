import { define } from './define.ts';

/** One fault of a request. `loc` is its location and starts with `body`, `path`, `query`, `header` or `service`. */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

/** Maximum number of faults in a response, which keeps it small. */
export const maxFaults = 100;

/** Shortens a key of the body for `loc`. A key may be as long as the body and may contain lone surrogates. */
export const truncateKey = (key: string) => (key.length > 100 ? `${key.slice(0, 100)}…` : key).toWellFormed();

/**
 * HTTP status and stable `type` of every failure that a function can return. An `Invalid` lists faults of other types
 * too. The classes below and the OpenAPI document read this table.
 */
export const failures = {
  NotAuthenticated: { status: 401, type: 'not_authenticated' },
  InvalidToken: { status: 401, type: 'invalid_token' },
  InsufficientScope: { status: 403, type: 'insufficient_scope' },
  NotAMember: { status: 403, type: 'not_a_member' },
  LoopDetected: { status: 403, type: 'loop_detected' },
  NotFound: { status: 404, type: 'not_found' },
  Conflict: { status: 409, type: 'conflict' },
  PreconditionFailed: { status: 412, type: 'precondition_failed' },
  TooLarge: { status: 413, type: 'too_large' },
  UnsupportedMediaType: { status: 415, type: 'unsupported_media_type' },
  Invalid: { status: 422, type: 'value_error' },
  VendorRefused: { status: 424, type: 'vendor_error' },
  VendorBusy: { status: 429, type: 'vendor_busy' },
  QuotaExceeded: { status: 429, type: 'quota_exceeded' },
  Internal: { status: 500, type: 'internal' },
  VendorUnavailable: { status: 502, type: 'vendor_unavailable' },
  Unavailable: { status: 503, type: 'unavailable' },
} as const satisfies Record<string, { status: number; type: string }>;

export type Failure = keyof typeof failures;

/**
 * An error that the gateway returns if no function runs or finishes. `retry` is true if the same request may succeed
 * later.
 */
export interface GatewayFault extends Fault {
  status: number;
  retry: boolean;
}

const buildGatewayFault = (status: number, type: string, msg: string, loc = ['service']): GatewayFault => ({
  status,
  type,
  msg,
  loc,
  retry: status === 429 || status >= 500,
});

/** Advice for errors that leave it open if the request was carried out. */
const retryAdvice = 'but the request may have been carried out: try again (a POST with the same Idempotency-Key)';

export const gatewayFaults = /* @__PURE__ */ define(() => ({
  badRequest: buildGatewayFault(400, 'bad_request', 'The gateway cannot read this request'),
  noSuchPath: buildGatewayFault(404, 'not_found', 'No such path: the console lists them all at /docs', ['path']),
  filtered: buildGatewayFault(403, 'forbidden', 'Blocked by the firewall'),
  tooLarge: buildGatewayFault(413, 'too_large', 'The request is larger than 6 MB'),
  unsupported: buildGatewayFault(415, 'unsupported_media_type', 'The gateway cannot read this Content-Type'),
  throttled: buildGatewayFault(429, 'too_many_requests', 'Too many requests: wait, then try again'),
  internal: buildGatewayFault(500, 'internal', 'Something went wrong on our side: try again'),
  badGateway: buildGatewayFault(502, 'bad_gateway', `No response came, ${retryAdvice}`),
  timeout: buildGatewayFault(504, 'timeout', `It took too long, ${retryAdvice}`),
}));

/** An error for the caller. Thrown where the fault is found, and caught in one place, `error-response`. */
export class ApiError extends Error {
  readonly failure: Failure;
  readonly detail: Fault[];
  readonly headers: Record<string, string>;

  constructor(failure: Failure, detail: Fault[], headers: Record<string, string> = {}, options?: ErrorOptions) {
    super(failure, options);
    this.failure = failure;
    this.detail = detail;
    this.headers = headers;
  }
}

const toFaults = (failure: Failure, loc: string[], msg: string): Fault[] => [
  { loc, msg, type: failures[failure].type },
];

/** The request has no credentials. By RFC 6750, section 3, the challenge then has no error code. */
export class NotAuthenticated extends ApiError {
  constructor() {
    super(
      'NotAuthenticated',
      toFaults('NotAuthenticated', ['header', 'authorization'], 'Send the header "Authorization: Bearer <token>"'),
      { 'www-authenticate': 'Bearer' },
    );
  }
}

export class InvalidToken extends ApiError {
  constructor(msg: string, options?: ErrorOptions) {
    super(
      'InvalidToken',
      toFaults('InvalidToken', ['header', 'authorization'], msg),
      { 'www-authenticate': 'Bearer error="invalid_token"' },
      options,
    );
  }
}

/**
 * The caller lacks a permission (RFC 6750, section 3.1). `scope` is the one that would allow the request, if any does.
 */
export class InsufficientScope extends ApiError {
  constructor(msg: string, scope?: string) {
    super('InsufficientScope', toFaults('InsufficientScope', ['header', 'authorization'], msg), {
      'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
    });
  }
}

/** The caller is not a member of the workspace that they chose. The answer does not depend on whether it exists. */
export class NotAMember extends ApiError {
  constructor(msg: string) {
    super('NotAMember', toFaults('NotAMember', ['header', 'x-workspace'], msg), {
      'www-authenticate': 'Bearer error="insufficient_scope"',
    });
  }
}

/** The service itself sent the request, to an address that a client named. Each could cause the next one. */
export class LoopDetected extends ApiError {
  constructor() {
    const msg = 'The address of a webhook, a tool or a language model may not be this API';
    super('LoopDetected', toFaults('LoopDetected', ['header', 'user-agent'], msg));
  }
}

export class NotFound extends ApiError {
  constructor(loc: string[], msg: string) {
    super('NotFound', toFaults('NotFound', loc, msg));
  }
}

/**
 * The request conflicts with the stored state. `retryAfter` is in seconds; set it if the same request may succeed
 * later.
 */
export class Conflict extends ApiError {
  constructor(loc: string[], msg: string, retryAfter?: number) {
    super('Conflict', toFaults('Conflict', loc, msg), retryAfter ? { 'retry-after': String(retryAfter) } : {});
  }
}

export class PreconditionFailed extends ApiError {
  constructor() {
    super(
      'PreconditionFailed',
      toFaults(
        'PreconditionFailed',
        ['header', 'if-match'],
        'It has changed since you read it: read it again, then retry',
      ),
    );
  }
}

export class TooLarge extends ApiError {
  constructor(loc: string[], msg: string) {
    super('TooLarge', toFaults('TooLarge', loc, msg));
  }
}

export class UnsupportedMediaType extends ApiError {
  constructor(msg: string, loc = ['header', 'content-type']) {
    super('UnsupportedMediaType', toFaults('UnsupportedMediaType', loc, msg));
  }
}

/** The request is invalid. Lists all its faults together. */
export class Invalid extends ApiError {
  constructor(detail: Fault[]) {
    super('Invalid', detail);
  }
}

/** The vendor of the assistant's language model refuses the request, or cannot be asked. `type` names other reasons than its answer. */
export class VendorRefused extends ApiError {
  constructor(msg: string, type: string = failures.VendorRefused.type) {
    super('VendorRefused', [{ loc: ['service', 'vendor'], msg, type }]);
  }
}

/** The vendor of the assistant's language model limits the requests of its key. `retryAfter` is what it says of the time to wait. */
export class VendorBusy extends ApiError {
  constructor(msg: string, retryAfter: string) {
    super('VendorBusy', toFaults('VendorBusy', ['service', 'vendor'], msg), { 'retry-after': retryAfter });
  }
}

/** A limit of the day is reached. OpenAI's clients do not repeat the request by themselves, since it would fail all day. */
export class QuotaExceeded extends ApiError {
  constructor(quota: string, msg: string, headers: Record<string, string>) {
    super('QuotaExceeded', toFaults('QuotaExceeded', ['service', quota], msg), {
      'x-should-retry': 'false',
      ...headers,
    });
  }
}

/** The vendor of the assistant's language model gives no answer, or one that makes no sense. */
export class VendorUnavailable extends ApiError {
  constructor(msg: string) {
    super('VendorUnavailable', toFaults('VendorUnavailable', ['service', 'vendor'], msg), { 'retry-after': '1' });
  }
}

/** A dependency failed or throttled. The cause is logged, never returned. */
export class Unavailable extends ApiError {
  constructor(options?: ErrorOptions) {
    super(
      'Unavailable',
      toFaults('Unavailable', ['service'], 'Temporarily unavailable: try again'),
      { 'retry-after': '1' },
      options,
    );
  }
}

/** A bug or misconfiguration on our side. */
export class Internal extends ApiError {
  constructor(options?: ErrorOptions) {
    super(
      'Internal',
      toFaults('Internal', ['service'], 'Something went wrong on our side: quote x-request-id when you report it'),
      { 'retry-after': '1' },
      options,
    );
  }
}

/** Returns an error for the caller: the thrown one, or Internal for one that nobody expected. */
export const toApiError = (thrown: unknown): ApiError =>
  thrown instanceof ApiError ? thrown : new Internal({ cause: thrown });

/** Makes OpenAI's clients send a request not again by themselves, since what it has done would be done again, or fail again. */
export function forbidRetry(thrown: unknown): ApiError {
  const error = toApiError(thrown);
  delete error.headers['retry-after'];
  error.headers['x-should-retry'] = 'false';
  return error;
}
