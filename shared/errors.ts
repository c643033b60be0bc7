import { define } from './define.ts';

/** One fault of a request. `loc` says where (its first entry is `body`, `path`, `query`, `header` or `service`). */
export interface Fault {
  loc: string[];
  msg: string;
  type: string;
}

/** A key of a body as `loc` tells it: it may be as long as the body, and half a character. */
export const clipped = (key: string) => (key.length > 100 ? `${key.slice(0, 100)}…` : key).toWellFormed();

/**
 * Every failure that a function answers with: its status, and the stable `type` for those that have only one.
 * The classes below and the OpenAPI document read this table.
 */
export const failures = {
  NotAuthenticated: { status: 401, type: 'not_authenticated' },
  InvalidToken: { status: 401, type: 'invalid_token' },
  InsufficientScope: { status: 403, type: 'insufficient_scope' },
  NotFound: { status: 404, type: 'not_found' },
  Conflict: { status: 409, type: 'conflict' },
  PreconditionFailed: { status: 412, type: 'precondition_failed' },
  TooLarge: { status: 413, type: 'too_large' },
  UnsupportedMediaType: { status: 415, type: 'unsupported_media_type' },
  Invalid: { status: 422, type: 'value_error' },
  Internal: { status: 500, type: 'internal' },
  Unavailable: { status: 503, type: 'unavailable' },
} as const satisfies Record<string, { status: number; type: string }>;

export type Failure = keyof typeof failures;

/** What is answered where no function runs or none ends, in the same shape. `retry`: the same request may succeed later. */
export interface GatewayFault extends Fault {
  status: number;
  retry: boolean;
}

const gatewayFault = (status: number, type: string, msg: string, loc = ['service']): GatewayFault => ({
  status,
  type,
  msg,
  loc,
  retry: status === 429 || status >= 500,
});

/** How to go on where nobody knows how far a request came. */
const outcomeUnknown = 'but what you asked for may have been done: try again, a POST with the same Idempotency-Key';

export const gatewayFaults = /* @__PURE__ */ define(() => ({
  badRequest: gatewayFault(400, 'bad_request', 'The gateway cannot read this request'),
  noSuchPath: gatewayFault(404, 'not_found', 'No such path', ['path']),
  filtered: gatewayFault(403, 'forbidden', 'The firewall takes this request for an attack'),
  tooLarge: gatewayFault(413, 'too_large', 'The request is larger than the platform takes (6 MB)'),
  unsupported: gatewayFault(415, 'unsupported_media_type', 'The gateway cannot read this Content-Type'),
  throttled: gatewayFault(429, 'too_many_requests', 'Too many requests: wait, then try again'),
  internal: gatewayFault(500, 'internal', 'Something went wrong on our side: try again'),
  badGateway: gatewayFault(502, 'bad_gateway', `No answer came, ${outcomeUnknown}`),
  timeout: gatewayFault(504, 'timeout', `It took too long, ${outcomeUnknown}`),
}));

/** A failure that the caller is told about, thrown where the fact is known and caught once, in `error-response`. */
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

const fault = (failure: Failure, loc: string[], msg: string): Fault[] => [{ loc, msg, type: failures[failure].type }];

/** RFC 6750, section 3: a request without credentials gets the bare challenge. */
export class NotAuthenticated extends ApiError {
  constructor() {
    super(
      'NotAuthenticated',
      fault('NotAuthenticated', ['header', 'authorization'], 'Send the header "Authorization: Bearer <token>"'),
      { 'www-authenticate': 'Bearer' },
    );
  }
}

export class InvalidToken extends ApiError {
  constructor(msg: string, options?: ErrorOptions) {
    super(
      'InvalidToken',
      fault('InvalidToken', ['header', 'authorization'], msg),
      { 'www-authenticate': 'Bearer error="invalid_token"' },
      options,
    );
  }
}

/** RFC 6750, section 3.1. `scope` is what would do, where anything would. */
export class InsufficientScope extends ApiError {
  constructor(msg: string, scope?: string) {
    super('InsufficientScope', fault('InsufficientScope', ['header', 'authorization'], msg), {
      'www-authenticate': `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
    });
  }
}

export class NotFound extends ApiError {
  constructor(loc: string[], msg: string) {
    super('NotFound', fault('NotFound', loc, msg));
  }
}

/** `retryAfter` is in seconds, where the same request may succeed later. */
export class Conflict extends ApiError {
  constructor(loc: string[], msg: string, retryAfter?: number) {
    super('Conflict', fault('Conflict', loc, msg), retryAfter ? { 'retry-after': String(retryAfter) } : {});
  }
}

export class PreconditionFailed extends ApiError {
  constructor() {
    super(
      'PreconditionFailed',
      fault(
        'PreconditionFailed',
        ['header', 'if-match'],
        'It has changed since you read it: read it again, then retry',
      ),
    );
  }
}

export class TooLarge extends ApiError {
  constructor(loc: string[], msg: string) {
    super('TooLarge', fault('TooLarge', loc, msg));
  }
}

export class UnsupportedMediaType extends ApiError {
  constructor(msg: string, loc = ['header', 'content-type']) {
    super('UnsupportedMediaType', fault('UnsupportedMediaType', loc, msg));
  }
}

/** Everything that fails validation, all faults at once. */
export class Invalid extends ApiError {
  constructor(detail: Fault[]) {
    super('Invalid', detail);
  }
}

/** A dependency failed or throttled. The cause goes to the log, never to the caller. */
export class Unavailable extends ApiError {
  constructor(options?: ErrorOptions) {
    super(
      'Unavailable',
      fault('Unavailable', ['service'], 'Temporarily unavailable: try again'),
      { 'retry-after': '1' },
      options,
    );
  }
}

/** A fault of ours. */
export class Internal extends ApiError {
  constructor(options?: ErrorOptions) {
    super(
      'Internal',
      fault('Internal', ['service'], 'Something went wrong on our side: quote x-request-id when you report it'),
      { 'retry-after': '1' },
      options,
    );
  }
}
