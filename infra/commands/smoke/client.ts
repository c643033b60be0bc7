import { readFileSync } from 'node:fs';
import type { Route } from '../../../shared/route.ts';
import { routes } from '../../../shared/routes/index.ts';
import { fetchWithRetry } from '../../terminal/fetch-with-retry.ts';
import { UserError } from '../../terminal/user-error.ts';

/** Timeout of one request, in milliseconds: a second more than the gateway's. */
const requestTimeoutMs = 15_000;

/** Request to a route. */
export interface Request {
  params?: Record<string, string>;
  /** Sent as JSON, or as form data if it is a FormData. */
  body?: object;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** API key to send instead of the user's token; null sends none. */
  token?: string | null;
  /** Expected status. Defaults to 200. */
  expect?: number;
}

export interface Reply<T> {
  headers: Headers;
  body: T;
}

export interface ClientProps {
  base: string;
  token: string;
  /** Suffix of every path: routes answer with and without a trailing slash. */
  slash: '' | '/';
  print: (line: string) => void;
  /** Aborts the walk. */
  deadline: AbortSignal;
  /** Aborts the cleanup. */
  cleanupDeadline: AbortSignal;
}

/** Returns the error messages of a response, with the request id to find its log. Never contains what was sent. */
function formatFailure(status: number, headers: Headers, text: string): string {
  let description = text.slice(0, 200);
  try {
    const { detail } = JSON.parse(text) as { detail?: { loc: string[]; msg: string }[] };
    if (detail) description = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  } catch {
    // Not a JSON error of the service: keep the raw text.
  }
  return `${status}, ${description} (x-request-id ${headers.get('x-request-id')})`;
}

/** Reads the JSON body of a route's sample event. Returns undefined if it has none. */
function readSampleBody(id: string): object | undefined {
  const event = readFileSync(new URL(`../../../events/${id}.json`, import.meta.url), 'utf8');
  return JSON.parse(JSON.parse(event).body) ?? undefined;
}

/** Client that calls the API by route id, in one spelling of the paths. What a call creates is deleted in the cleanup. */
export class Client {
  /** Routes that have answered as expected. */
  readonly calledRoutes = new Set<string>();
  readonly #props: ClientProps;
  readonly #undo: [id: string, request: Request][] = [];
  /** Path parameters of all calls. */
  readonly #params: Record<string, string> = {};

  constructor(props: ClientProps) {
    this.#props = props;
  }

  /** Calls a route, and queues the deletion of what it created. Throws UserError if it does not answer with the expected status. */
  async call<T>(id: string, request: Request = {}): Promise<Reply<T>> {
    const reply = await this.#send<T>(id, request);
    this.calledRoutes.add(id);
    Object.assign(this.#params, request.params);
    const created = reply.headers.get('location');
    if (created) this.#deleteLater(created);
    return reply;
  }

  /** Calls each route that was not called and is not queued, with its sample body and the latest path parameters. */
  async callOthers(): Promise<void> {
    const queued = new Set(this.#undo.map(([id]) => id));
    for (const { id } of routes) {
      if (this.calledRoutes.has(id) || queued.has(id)) continue;
      const body = readSampleBody(id);
      await this.call(id, { params: this.#params, ...(body && { body }) });
    }
  }

  /** Queues the deletion of the resource that a `Location` header names, unless it goes with another that is queued. */
  #deleteLater(location: string): void {
    const { pathname, searchParams } = new URL(location, this.#props.base);
    for (const { id, method, path, query } of routes) {
      const pattern = new RegExp(`${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
      const params = pattern.exec(pathname)?.groups;
      if (method !== 'DELETE' || !params || this.#goesWithQueued(params)) continue;
      if ('force' in ((query as { entries?: object } | undefined)?.entries ?? {})) searchParams.set('force', 'true');
      this.callLater(id, { params, query: Object.fromEntries(searchParams) });
    }
  }

  /** True if the path parameters of a queued deletion are some of these. */
  #goesWithQueued(params: Record<string, string>): boolean {
    const isOuter = (outer: [string, string][]) =>
      outer.length > 0 &&
      outer.length < Object.keys(params).length &&
      outer.every(([name, value]) => params[name] === value);
    return this.#undo.some(([, request]) => isOuter(Object.entries(request.params ?? {})));
  }

  /** Queues a call for the cleanup, once. The cleanup runs in any case, and the last queued call runs first. */
  callLater(id: string, request: Request): void {
    const { path } = this.#address(id, request);
    const isQueued = this.#undo.some(
      ([other, { params }]) => other === id && this.#address(id, { ...(params && { params }) }).path === path,
    );
    if (!isQueued) this.#undo.unshift([id, request]);
  }

  /** Runs all queued calls, even if some fail. Returns a sentence about each failure. */
  async cleanUp(): Promise<string[]> {
    const failures: string[] = [];
    for (const [id, request] of this.#undo.splice(0)) {
      try {
        await this.#send(id, request, this.#props.cleanupDeadline);
        this.calledRoutes.add(id);
      } catch (error) {
        const { method, path } = this.#address(id, request);
        failures.push(`${method} ${path} could not be undone: ${error instanceof Error ? error.message : error}`);
      }
    }
    return failures;
  }

  /**
   * Sends a request to a path without a route. Throws UserError if the gateway does not answer with the expected
   * status.
   */
  async callPath(method: string, path: string, expect: number): Promise<Headers> {
    const { base, slash } = this.#props;
    return (await this.#fetch(method, base, path + slash, { expect })).headers;
  }

  /** Uploads a form to S3, with the presigned fields it contains. */
  async upload(url: string, body: FormData): Promise<void> {
    const { origin, pathname } = new URL(url);
    await this.#fetch('POST', origin, pathname, { body, token: null, expect: 204 });
  }

  #address(id: string, { params = {} }: Request): { method: Route['method']; path: string } {
    const route = routes.find((one) => one.id === id);
    if (!route) throw new Error(`There is no route ${id}`);
    const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    return { method: route.method, path: path + this.#props.slash };
  }

  async #send<T>(id: string, request: Request, signal?: AbortSignal): Promise<Reply<T>> {
    const { method, path } = this.#address(id, request);
    const query = request.query ? `?${new URLSearchParams(request.query)}` : '';
    const { headers, text } = await this.#fetch(method, this.#props.base, path + query, request, signal);
    return { headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  async #fetch(method: string, base: string, path: string, request: Request, signal = this.#props.deadline) {
    const { print } = this.#props;
    const { body, headers = {}, token = this.#props.token, expect = 200 } = request;
    const isForm = body instanceof FormData;
    const startedAt = performance.now();
    const line = (mark: string) =>
      `${mark} ${(performance.now() - startedAt).toFixed(0).padStart(5)} ms  ${method.padEnd(6)} ${path}`;
    try {
      const response = await fetchWithRetry(base + path, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isForm ? body : body ? JSON.stringify(body) : null,
        redirect: 'error', // both spellings must answer without a redirect
        signal: AbortSignal.any([AbortSignal.timeout(requestTimeoutMs), signal]),
      });
      const text = await response.text();
      if (response.status !== expect) {
        throw new UserError(`${expect} expected, got ${formatFailure(response.status, response.headers, text)}`);
      }
      print(line('ok  '));
      return { headers: response.headers, text };
    } catch (error) {
      print(line('FAIL'));
      if (error instanceof UserError) throw new UserError(`${method} ${path}: ${error.message}`);
      const { message, cause } = error as Error;
      throw new UserError(`${method} ${path}: ${cause instanceof Error ? cause.message : message}`);
    }
  }
}
