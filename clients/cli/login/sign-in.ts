import { spawn } from 'node:child_process';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ConsoleConfig, commandLinePath } from '../../../shared/console-config.ts';
import { UserError } from '../errors.ts';
import { parseSafeAddress } from '../parse-safe-address.ts';
import { note } from '../terminal.ts';
import { readTokens } from './read-tokens.ts';
import { requestJson } from './request-json.ts';
import type { SavedLogin } from './saved-login.ts';

/** Time to sign in, in milliseconds. */
const signInTimeoutMs = 300_000;

const toBase64Url = (bytes: Buffer) => bytes.toString('base64url');

/** Reads the configuration of a console, by the address of its pages or of its host. */
export async function readConsoleConfig(address: string): Promise<ConsoleConfig> {
  const url = new URL('/console/config.json', address);
  const config = (await requestJson(url.href)) as Partial<ConsoleConfig>;
  const isComplete = [config.api, config.issuer, config.clientId, config.scope].every((one) => typeof one === 'string');
  if (!isComplete) throw new UserError(`${url.origin} is not a console: pass its address, or use --token`);
  return config as ConsoleConfig;
}

/** Opens an address in the browser, if there is one. */
function openBrowser(url: string): void {
  const [program = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // the address is printed as well
  child.unref();
}

const page = (sentence: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Voice assistants</title><p>${sentence}</p></html>`;

function isEqual(one: string, other: string): boolean {
  const [bytes, others] = [Buffer.from(one), Buffer.from(other)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

/**
 * Starts a server on this machine to which the identity provider redirects the browser. `receive` waits for the code. Throws UserError if
 * the port is taken.
 */
async function startCallback(port: number, state: string) {
  let resolve: (code: string) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<string>((onCode, onError) => {
    resolve = onCode;
    reject = onError;
  });
  const server = createServer((request, response) => {
    const answer = (status: number, sentence: string) =>
      response
        .writeHead(status, { 'content-type': 'text/html', 'cache-control': 'no-store', connection: 'close' })
        .end(page(sentence));
    const refuse = () => answer(404, 'This is no page of the sign-in that waits.');
    const url = request.url ?? '/';
    if (!URL.canParse(url, 'http://localhost')) return refuse();
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== commandLinePath || !isEqual(searchParams.get('state') ?? '', state)) return refuse();
    const code = searchParams.get('code');
    if (code === null) {
      answer(400, 'The sign-in was refused. You can close this window.');
      const reason = searchParams.get('error_description') ?? searchParams.get('error') ?? 'no reason given';
      return reject(new UserError(`The sign-in was refused: ${reason}`));
    }
    answer(200, 'You are signed in. You can close this window.');
    resolve(code);
  });
  promise.catch(() => {}); // awaited later
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch(() => {
    throw new UserError(`Port ${port} is in use: end the other sign-in, choose another with --port, or use --token`);
  });
  const timer = setTimeout(() => reject(new UserError('Nobody signed in within five minutes')), signInTimeoutMs);
  return {
    redirectUri: `http://localhost:${(server.address() as AddressInfo).port}${commandLinePath}`,
    receive: () =>
      promise.finally(() => {
        clearTimeout(timer);
        server.close();
        server.closeIdleConnections();
      }),
  };
}

export interface SignInOptions {
  port: number;
  /** Opens the browser. The address is printed in any case. */
  opensBrowser: boolean;
}

/** True for an address that may see a sign-in. */
const isSafeAddress = (address: unknown): address is string =>
  typeof address === 'string' && parseSafeAddress(address) !== undefined;

/** Returns the addresses at which an identity provider signs people in and issues tokens. Throws UserError if it names none. */
async function discoverEndpoints(issuer: string) {
  const discovery = await requestJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = discovery;
  if (!isSafeAddress(authorizationEndpoint) || !isSafeAddress(tokenEndpoint))
    throw new UserError(`${issuer} is no identity provider that people can sign in at: use --token`);
  return { authorizationEndpoint, tokenEndpoint };
}

/** Signs a person in with the browser, at the identity provider of a console (authorization code with PKCE). Throws UserError. */
export async function signIn(config: ConsoleConfig, { port, opensBrowser }: SignInOptions): Promise<SavedLogin> {
  const { authorizationEndpoint, tokenEndpoint } = await discoverEndpoints(config.issuer);
  const [state, verifier] = [toBase64Url(randomBytes(32)), toBase64Url(randomBytes(32))];
  const { redirectUri, receive } = await startCallback(port, state);
  const url = new URL(authorizationEndpoint);
  const parameters = {
    ...config.authorizeParams,
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri,
    scope: config.scope,
    state,
    code_challenge: toBase64Url(createHash('sha256').update(verifier).digest()),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  note(`Sign in with your browser: ${url.href}`);
  note(`The API ${config.api} will get your token`);
  if (opensBrowser) openBrowser(url.href);
  const answer = await requestJson(tokenEndpoint, {
    grant_type: 'authorization_code',
    client_id: config.clientId,
    redirect_uri: redirectUri,
    code: await receive(),
    code_verifier: verifier,
  });
  const { token, refreshToken, expiresAt } = readTokens(answer);
  return {
    url: config.api.replace(/\/+$/, ''),
    token,
    ...(refreshToken !== undefined && {
      renewal: { tokenEndpoint, clientId: config.clientId, refreshToken, expiresAt },
    }),
  };
}
