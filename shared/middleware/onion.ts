import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Call } from '../call.ts';
import type { Typo } from '../domain/typos.ts';
import type { Fault } from '../errors.ts';
import type { Route } from '../route.ts';
import type { User } from '../user.ts';

/** What the layers of one request leave for each other. */
export interface State {
  /** Milliseconds, as `performance.now()` counts them. */
  startedAt: number;
  user: User;
  /** Faults found so far; `validate` throws them together. */
  faults: Fault[];
  /** Keys of the body that nothing reads. */
  ignored: string[];
  /** Names in the body that are kept, but are probably typos. */
  typos: Typo[];
  /** The body, parsed. */
  body: unknown;
  /** The `type` of the error that was answered. */
  error?: string | undefined;
  /** Why a token or an API key was refused, as the caller was told. */
  reason?: string | undefined;
}

/** middy's request, with our event and state. */
export interface Request {
  event: APIGatewayProxyEvent & { call: Call<Route> };
  context: Context;
  response: unknown;
  error: unknown;
  internal: State;
}

/** One layer of the onion: middy's middleware, typed for this service. */
export interface Layer {
  before?(request: Request): void | Promise<void>;
  after?(request: Request): void;
  onError?(request: Request): void;
}

/** A header by its lower-case name: HTTP/1 clients send any case. */
export function header(event: APIGatewayProxyEvent, name: string): string | undefined {
  const { headers } = event;
  if (headers?.[name] !== undefined) return headers[name];
  for (const key in headers) if (key.toLowerCase() === name) return headers[key];
  return undefined;
}

export type { APIGatewayProxyResult };
