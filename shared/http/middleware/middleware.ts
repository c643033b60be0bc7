import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Typo } from '../../domain/typos.ts';
import type { Fault } from '../../errors.ts';
import type { Route } from '../../route.ts';
import type { Refund } from '../../store/quota-counts.ts';
import type { User } from '../../user.ts';
import type { Request } from '../request.ts';

/** State that the middleware of one request share. */
export interface RequestState {
  /** Value of `performance.now()` at the start of the request. */
  startedAt: number;
  user: User;
  /** Faults of the request. `validate` throws all of them together. */
  faults: Fault[];
  /** Unknown query parameters and keys of the body. */
  ignored: string[];
  /** Names in the body that are stored, but are probably typos. */
  typos: Typo[];
  /** Parsed body. */
  body: unknown;
  /** `type` of the error in the response. */
  error?: string | undefined;
  /** Returns the `type` of the error that ended a streamed response. */
  getStreamError?: (() => string | undefined) | undefined;
  /** Takes back what the request has counted for a quota. */
  refund?: Refund;
  /** Reason why the token or API key was rejected, as in the response. */
  reason?: string | undefined;
}

/** Request of middy, with the event and state of this service. */
export interface MiddlewareRequest {
  event: APIGatewayProxyEvent & { request: Request<Route> };
  context: Context;
  response: unknown;
  error: unknown;
  internal: RequestState;
}

/** Middleware of middy, typed for this service. */
export interface Middleware {
  before?(request: MiddlewareRequest): void | Promise<void>;
  after?(request: MiddlewareRequest): void;
  onError?(request: MiddlewareRequest): void | Promise<void>;
}

/** Returns a header by its lower-case name. HTTP/1 clients send names in any case. */
export function getHeader(event: APIGatewayProxyEvent, name: string): string | undefined {
  const { headers } = event;
  if (headers?.[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}

export type { APIGatewayProxyResult };
