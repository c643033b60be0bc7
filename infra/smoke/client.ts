import type { Route } from '../../shared/route.ts';
import { routes } from '../../shared/routes/index.ts';
import { fetchAgain } from '../fetch-again.ts';
import { Problem } from '../problem.ts';

/** How one request waits, in milliseconds: a second longer than the gateway does. */
const patienceMs = 15_000;

/** What is sent with a request, over the token. */
export interface Request {
  params?: Record<string, string>;
  /** Sent as JSON, or as the form that it is. */
  body?: object;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** An API key in place of the user's token; null sends none. */
  token?: string | null;
  /** The status that is right: 200 unless set. */
  expect?: number;
}

export interface Reply<T> {
  headers: Headers;
  body: T;
}

export interface ClientProps {
  base: string;
  token: string;
  /** What every path ends with: the one spelling of it, or the other. */
  slash: '' | '/';
  /** Prints a line. */
  tell: (line: string) => void;
  /** Ends the walk … */
  deadline: AbortSignal;
  /** … and its cleaning up. */
  lastCall: AbortSignal;
}

/** The sentence of an error in the service's own words, by which its log can be found. Never what was sent. */
function reasonOf(status: number, headers: Headers, text: string): string {
  let said = text.slice(0, 200);
  try {
    const { detail } = JSON.parse(text) as { detail?: { loc: string[]; msg: string }[] };
    if (detail) said = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  } catch {
    // Not an answer of the service: it is told as it is.
  }
  return `${status}, ${said} (x-request-id ${headers.get('x-request-id')})`;
}

/** Calls the API by the names of its routes, in one spelling of their paths, and remembers what is to be undone. */
export class Client {
  /** The routes that have answered as they should. */
  readonly walked = new Set<string>();
  readonly #props: ClientProps;
  readonly #undo: [id: string, request: Request][] = [];

  constructor(props: ClientProps) {
    this.#props = props;
  }

  /** Calls a route. Throws Problem where it answers anything but `expect`. */
  async call<T>(id: string, request: Request = {}): Promise<Reply<T>> {
    const reply = await this.#send<T>(id, request);
    this.walked.add(id);
    return reply;
  }

  /** Has a route called at the end, whatever happens until then. What was made last goes first. */
  later(id: string, request: Request): void {
    this.#undo.unshift([id, request]);
  }

  /** Undoes what is to be undone, all of it where some fails. Gives sentences about what is left behind. */
  async clean(): Promise<string[]> {
    const left: string[] = [];
    for (const [id, request] of this.#undo.splice(0)) {
      try {
        await this.#send(id, request, this.#props.lastCall);
        this.walked.add(id);
      } catch (error) {
        const { method, path } = this.#address(id, request);
        left.push(`${method} ${path} is left to do: ${error instanceof Error ? error.message : error}`);
      }
    }
    return left;
  }

  /** A request to a path that is no route's, as the gateway should answer it. */
  async callPath(method: string, path: string, expect: number): Promise<Headers> {
    const { base, slash } = this.#props;
    return (await this.#fetch(method, base, path + slash, { expect })).headers;
  }

  /** Sends a form to another service, which gave leave for it. */
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

  async #send<T>(id: string, request: Request, until?: AbortSignal): Promise<Reply<T>> {
    const { method, path } = this.#address(id, request);
    const query = request.query ? `?${new URLSearchParams(request.query)}` : '';
    const { headers, text } = await this.#fetch(method, this.#props.base, path + query, request, until);
    return { headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  }

  async #fetch(method: string, base: string, path: string, request: Request, until = this.#props.deadline) {
    const { tell } = this.#props;
    const { body, headers = {}, token = this.#props.token, expect = 200 } = request;
    const isForm = body instanceof FormData;
    const startedAt = performance.now();
    const line = (mark: string) =>
      `${mark} ${(performance.now() - startedAt).toFixed(0).padStart(5)} ms  ${method.padEnd(6)} ${path}`;
    try {
      const response = await fetchAgain(base + path, {
        method,
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(body && !isForm && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isForm ? body : body ? JSON.stringify(body) : null,
        redirect: 'error', // both spellings answer themselves
        signal: AbortSignal.any([AbortSignal.timeout(patienceMs), until]),
      });
      const text = await response.text();
      if (response.status !== expect) {
        throw new Problem(`${expect} expected, got ${reasonOf(response.status, response.headers, text)}`);
      }
      tell(line('ok  '));
      return { headers: response.headers, text };
    } catch (error) {
      tell(line('FAIL'));
      if (error instanceof Problem) throw new Problem(`${method} ${path}: ${error.message}`);
      const { message, cause } = error as Error;
      throw new Problem(`${method} ${path}: ${cause instanceof Error ? cause.message : message}`);
    }
  }
}
