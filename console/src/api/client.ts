import { type Api, createApi, type Transport } from '../../../clients/typescript/src/api.ts';
import { createUnreachableError, parseFaults } from '../../../clients/typescript/src/api-error.ts';
import { type Session, SessionEndedError } from '../auth/session.ts';
import { enterWorkspace, getWorkspace, leaveWorkspace, personal } from '../auth/workspace.ts';

/** Client of the API, typed by its OpenAPI document. `connect` sets it before the first page renders. */
export let api: Api;

/** URL of the API, without a trailing slash. Set by `connect`. */
export let apiUrl: string;

/**
 * Wraps a transport so that it sends as the signed-in user. Pass the result as the `fetch` option of a single request.
 */
export let withSession: (transport: Transport) => Transport;

/** Makes `api` send every request to `url` as the signed-in user. */
export function connect(url: string, session: Session): void {
  apiUrl = url;
  withSession = (transport) => (request) => sendWithSession(session, request, transport);
  api = createApi({ baseUrl: url, transport: withSession(fetch) });
}

/**
 * Sends a request with the session's token. If the API rejects the token, renews the session, which may prompt the user
 * to sign in, and retries: a rejected request has had no effect. Throws ApiError if no response arrives.
 */
async function sendWithSession(session: Session, request: Request, transport: Transport): Promise<Response> {
  const retry = request.clone();
  const response = await send(request, session.getToken(), transport);
  if (response.status === 403 || response.status === 409)
    return settleWorkspace(session, { request, retry }, response, transport);
  if (response.status !== 401) return response;
  try {
    await session.renew({ promptAgain: request.method !== 'GET' });
  } catch (error) {
    if (error instanceof SessionEndedError) return response;
    throw createUnreachableError(error);
  }
  return send(retry, session.getToken(), transport);
}

let choosing: Promise<void> | undefined;

/** Enters the first workspace of a user who has several and has chosen none. */
async function chooseFirst(session: Session): Promise<void> {
  const headers = { authorization: `Bearer ${session.getToken()}`, 'x-workspace': personal };
  const response = await fetch(`${apiUrl}/protected`, { headers });
  if (response.ok) enterWorkspace((await response.json()).data.workspaces[0] ?? null);
}

/**
 * Retries a read that the API refused because the user has several workspaces and chose none. Starts the console again if the user is no
 * longer a member of the workspace. Returns any other response unchanged: a write must not go where the user did not look.
 */
async function settleWorkspace(
  session: Session,
  { request, retry }: { request: Request; retry: Request },
  response: Response,
  transport: Transport,
) {
  const [fault] = parseFaults(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (fault?.loc[1] !== 'x-workspace') return response;
  if (response.status === 403) {
    leaveWorkspace(request.headers.get('x-workspace'));
    location.assign(import.meta.env.BASE_URL);
    return response;
  }
  if (retry.method !== 'GET') return response;
  choosing ??= chooseFirst(session).finally(() => {
    choosing = undefined;
  });
  await choosing;
  return send(retry, session.getToken(), transport);
}

async function send(request: Request, token: string, transport: Transport): Promise<Response> {
  request.headers.set('authorization', `Bearer ${token}`);
  const workspace = getWorkspace();
  if (workspace !== null) request.headers.set('x-workspace', workspace);
  try {
    return await transport(request);
  } catch (error) {
    throw request.signal.aborted ? error : createUnreachableError(error);
  }
}
