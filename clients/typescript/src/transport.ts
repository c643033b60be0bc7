import type { Transport } from './api.ts';
import { ApiError, createUnreachableError, parseFaults } from './api-error.ts';
import { getRetryDelayMs, maxRetries, shouldRetry } from './retry.ts';

/** Token of a person, or API key. A function is asked before each attempt. */
export type Token = string | (() => string | Promise<string>);

export interface TransportOptions {
  token: Token;
  /** Id of the workspace to act in; `personal` for one's own data. Unset, the API chooses. */
  workspace?: string | undefined;
  /** Limit of one attempt in milliseconds, with its body. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries, by default three. */
  retries?: number | undefined;
  /** Function that sends a request. */
  fetch?: Transport | undefined;
}

/** Default limit of one attempt. The gateway answers within 29 seconds. */
const defaultTimeoutMs = 35_000;

/** Limit of one attempt if a model answers, which may take two minutes. */
const answerTimeoutMs = 150_000;
const answerPaths = /\/(?:chat\/completions|search|vision\/analyze)\/?$/;

/** Default timeout of a request: longer if a model answers it. */
const getTimeoutMs = ({ method, url }: Request) =>
  method === 'POST' && answerPaths.test(new URL(url).pathname) ? answerTimeoutMs : defaultTimeoutMs;

/** Throws ApiError for a token that no header can hold. */
function checkToken(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  const msg = 'The token is empty, or has a space or line break in it: pass it as it was issued';
  throw new ApiError(401, [{ loc: ['header', 'authorization'], msg, type: 'invalid_token' }]);
}

const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);

/** Creates the error for a redirect, which is not followed: the token is for this address only. */
const createRedirectError = (url: string) => {
  const { origin } = new URL(url);
  const msg = `${origin} redirects: set baseUrl to the address of the API itself, with https`;
  return new ApiError(0, [{ loc: ['service'], msg, type: 'redirected' }]);
};

/**
 * True if repeating a request has no second effect: a read, a write that replaces, or a POST with an `Idempotency-Key`. After a lost
 * response, a write with `If-Match` would fail because of itself.
 */
function isRepeatable({ method, headers }: Request): boolean {
  if (method === 'GET') return true;
  if (method === 'POST') return headers.has('idempotency-key');
  return !headers.has('if-match');
}

/** Reads the error of a response without consuming it. */
async function readError(response: Response): Promise<ApiError> {
  const body = await response
    .clone()
    .json()
    .catch(() => undefined);
  return new ApiError(response.status, parseFaults(body), response.headers);
}

/** Waits, unless the signal is aborted: then it throws the reason. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Creates a transport that sends the token, limits the time of each attempt, follows no redirect, and retries: after the `Retry-After` of
 * the API, with the same `Idempotency-Key`, and only if a repetition has no second effect.
 */
export function createTransport(options: TransportOptions): Transport {
  const { token, workspace, timeoutMs, retries = maxRetries, fetch: send = fetch } = options;
  if (typeof token !== 'string' && typeof token !== 'function')
    throw new TypeError('token must be a token or an API key, or a function that returns one');

  async function attempt(request: Request): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${checkToken(typeof token === 'string' ? token : await token())}`);
    if (workspace !== undefined) headers.set('x-workspace', workspace);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs ?? getTimeoutMs(request))]);
    const response = await send(new Request(request, { headers, signal, redirect: 'manual' })).catch((error) => {
      throw request.signal.aborted ? request.signal.reason : createUnreachableError(error, new URL(request.url).origin);
    });
    if (isRedirect(response)) throw createRedirectError(request.url);
    return response;
  }

  return async (request) => {
    for (let failures = 0; ; failures++) {
      let failure: unknown;
      let response: Response | undefined;
      try {
        response = await attempt(request.clone());
        if (response.ok || response.status === 304) return response;
        failure = await readError(response);
      } catch (error) {
        failure = error;
      }
      // A throttled request has had no effect.
      const mayRepeat = isRepeatable(request) || response?.status === 429;
      const isForbidden =
        response?.headers.get('x-should-retry') === 'false' || (failure as ApiError).type === 'redirected';
      if (failures >= retries || !mayRepeat || isForbidden || !shouldRetry(failures, failure)) {
        if (response) return response;
        throw failure;
      }
      await response?.body?.cancel();
      await wait(getRetryDelayMs(failures, failure), request.signal);
    }
  };
}
