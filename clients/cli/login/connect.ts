import { ApiError } from '../../typescript/src/api-error.ts';
import { type Client, createClient } from '../../typescript/src/client.ts';
import type { Options, Values } from '../command.ts';
import { UsageError, UserError } from '../errors.ts';
import { readTokens } from './read-tokens.ts';
import { AnswerError, requestJson } from './request-json.ts';
import { readLogin, type SavedLogin, saveLogin } from './saved-login.ts';

/** Options of every command that calls the API. */
export const connectOptions = {
  url: { type: 'string', value: 'URL', help: 'Address of the API, instead of VA_URL or that of the login' },
  token: { type: 'string', value: 'TOKEN', help: 'API key or token, instead of VA_TOKEN or that of the login' },
  workspace: { type: 'string', value: 'ID', help: 'Workspace to act in, instead of VA_WORKSPACE or that of the login' },
} as const satisfies Options;

/** Time before its end at which a token is renewed, in milliseconds. */
const earlyMs = 60_000;

/** Renews a login before its token expires, and saves it. Throws UserError if the identity provider refuses, or is not there. */
async function renew(login: SavedLogin): Promise<SavedLogin> {
  const { renewal } = login;
  if (!renewal || renewal.expiresAt - Date.now() > earlyMs) return login;
  const { tokenEndpoint, clientId, refreshToken } = renewal;
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken };
  const answer = await requestJson(tokenEndpoint, form).catch((error: unknown) => {
    const isRefused = error instanceof AnswerError && [400, 401, 403].includes(error.status);
    throw isRefused ? new UserError('The login has expired: run voice-assistants login') : error;
  });
  const { token, refreshToken: next = refreshToken, expiresAt } = readTokens(answer);
  const renewed = { ...login, token, renewal: { ...renewal, refreshToken: next, expiresAt } };
  saveLogin(renewed);
  return renewed;
}

/** Returns a function that returns the token of a login, and renews it once for all requests that wait. */
function createTokenReader(login: SavedLogin): () => Promise<string> {
  let current = login;
  let renewal: Promise<void> | undefined;
  return async () => {
    renewal ??= renew(current)
      .then((renewed) => {
        current = renewed;
      })
      .finally(() => {
        renewal = undefined;
      });
    await renewal;
    return current.token;
  };
}

/** Address, token and workspace of the API to call. */
export interface Connection {
  client: Client;
  /** Address of the API. */
  url: string;
  /** User and workspace of the token. */
  identity: { user_id: string | null; workspace: string | null };
}

/** Limit of the request that checks the connection, in milliseconds. */
const checkTimeoutMs = 8_000;

/** Throws UsageError unless it is an address that a request can be sent to. */
export function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url.replace(/\/+$/, '');
  throw new UsageError(`${url} is no address: write it as in http://127.0.0.1:3000`);
}

/** Checks an address and its token, and connects to it. Throws ApiError. */
export async function connectTo(url: string, token: SavedLogin['token'] | (() => Promise<string>), workspace?: string) {
  const options = { baseUrl: checkUrl(url), token, workspace };
  // Fails within seconds if the address is wrong.
  const { data } = await createClient({ ...options, retries: 0, timeoutMs: checkTimeoutMs }).GET('/protected');
  const identity = (data as Partial<typeof data> | undefined)?.data;
  if (identity?.user_id === undefined) throw new ApiError(0, [], undefined, { cause: new SyntaxError() });
  return { client: createClient(options), url: options.baseUrl, identity } satisfies Connection;
}

/**
 * Connects to the API by options, environment or login, in this order. The token of the login is sent to its own API only. Throws UserError,
 * UsageError or ApiError.
 */
export async function connect(values: Values<typeof connectOptions>): Promise<Connection> {
  const given = { url: values.url ?? process.env.VA_URL, token: values.token ?? process.env.VA_TOKEN };
  const login = given.token === undefined || given.url === undefined ? readLogin() : undefined;
  const url = given.url ?? login?.url;
  if (url === undefined) throw new UserError('Not logged in: run voice-assistants login, or set VA_URL and VA_TOKEN');
  const isOwn = login !== undefined && login.url === checkUrl(url);
  if (given.token === undefined && !isOwn)
    throw new UserError(`There is no token for ${url}: run voice-assistants login, or set VA_TOKEN`);
  const workspace = values.workspace ?? process.env.VA_WORKSPACE ?? (isOwn ? login.workspace : undefined);
  if (given.token !== undefined) return connectTo(url, given.token, workspace);
  return connectTo(url, createTokenReader(login as SavedLogin), workspace);
}
