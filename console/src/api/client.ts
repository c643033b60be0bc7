import createClient, { type Client } from 'openapi-fetch';
import { type Session, SessionEnded } from '../auth/session.ts';
import { faultsIn, Problem } from './problem.ts';
import type { paths } from './schema.d.ts';

/** A way to send a request: `fetch`, or another that tells how far it is. */
export type Transport = (request: Request) => Promise<Response>;

/** The service, typed by its OpenAPI document. `connect` sets it, before the first page is drawn. */
export let api: Client<paths>;

/** The service's URL, without a slash at its end; set as `api` is. */
export let apiUrl: string;

/** Sends by another transport as whoever is signed in: for the option `fetch` of a single request of `api`. */
export let asPerson: (transport: Transport) => Transport;

/** Sends every request of `api` to `url`, as whoever is signed in. */
export function connect(url: string, session: Session): void {
  apiUrl = url;
  asPerson = (transport) => (request) => sendAs(session, request, transport);
  api = createClient<paths>({ baseUrl: url, fetch: asPerson(fetch) });
}

/**
 * Sends a request with the session's token. Where the token is refused, renews the session, which may ask the person to
 * sign in again, and sends it once more: a refused request has done nothing. Throws Problem where no answer comes.
 */
async function sendAs(session: Session, request: Request, transport: Transport): Promise<Response> {
  const again = request.clone();
  const response = await send(request, session.token(), transport);
  if (response.status !== 401) return response;
  try {
    await session.renew({ isInsistent: request.method !== 'GET' });
  } catch (error) {
    if (error instanceof SessionEnded) return response;
    throw unreachable(error);
  }
  return send(again, session.token(), transport);
}

async function send(request: Request, token: string, transport: Transport): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  try {
    return await transport(request);
  } catch (error) {
    throw request.signal.aborted ? error : unreachable(error);
  }
}

/** No answer came. */
export const unreachable = (cause: unknown) => new Problem(0, [], undefined, { cause });

interface Answered {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/** What an answer of `api` carries, and its headers. Throws Problem where the service refused. */
export async function answer<A extends Answered>(
  call: Promise<A>,
): Promise<{ data: Exclude<A['data'], undefined>; headers: Headers }> {
  const { data, error, response } = await call;
  if (!response.ok) throw new Problem(response.status, faultsIn(error), response.headers);
  return { data: data as Exclude<A['data'], undefined>, headers: response.headers };
}
