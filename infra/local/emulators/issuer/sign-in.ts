import { randomUUID } from 'node:crypto';
import { getSettings } from '../../../config.ts';
import { isCommandLine, isConsolePage } from '../loopback.ts';
import { collectClaims } from './claims.ts';
import { clientId } from './issuer.ts';
import { buildForm, buildMessage, type SignIn } from './sign-in-page.ts';
import type { AuthorizationRequest } from './token-grants.ts';

/** Reads the fields of the sign-in form. */
function readFields(text: string): SignIn {
  const fields = new URLSearchParams(text);
  const read = (name: string) => fields.get(name)?.trim() ?? '';
  return { name: read('name'), workspace: read('workspace'), role: read('role') };
}

const { workspaces } = getSettings('dev');

/** Returns the claims that put a person into workspaces of `dev`. */
const toClaims = ({ workspace, role }: SignIn) =>
  collectClaims([
    ...(workspace && workspaces
      ? workspace.split(',').map((id): [string, string] => [workspaces.claim, id.trim()])
      : []),
    ...(role && workspaces?.roleClaim ? [[workspaces.roleClaim, role] as const] : []),
  ]);

/** Maximum number of sessions. */
const maxSessions = 1_000;

/**
 * Creates functions for sessions: what a user entered, until the browser closes, the user signs out or the host ends. Their cookie is
 * only a random id, because pages at other ports of the machine can set it, too.
 */
function createSessions(cookieName: string) {
  const sessions = new Map<string, SignIn>();
  const listIds = ({ headers }: Request) =>
    (headers.get('cookie')?.split('; ') ?? []).flatMap((cookie) =>
      cookie.startsWith(`${cookieName}=`) ? [cookie.slice(cookieName.length + 1)] : [],
    );
  return {
    /** Begins a session. Returns its cookie. */
    begin(signIn: SignIn): string {
      const id = randomUUID();
      sessions.set(id, signIn);
      if (sessions.size > maxSessions) sessions.delete([...sessions.keys()][0] ?? '');
      return `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax`;
    },
    find: (request: Request): SignIn | undefined =>
      listIds(request)
        .map((id) => sessions.get(id))
        .find((signIn) => signIn !== undefined),
    /** Ends the session of a request. Returns the cookie that removes its cookie. */
    end(request: Request): string {
      for (const id of listIds(request)) sessions.delete(id);
      return `${cookieName}=; Path=/; Max-Age=0`;
    },
  };
}

const rejectAddress = (field: string, page: string) =>
  buildMessage('Invalid address', `The ${field} must be a page of the console on this host: …${page}`, 400);

/**
 * True if a page of another origin sent the form. It could sign the browser in as another user (login CSRF). Browsers without
 * `Sec-Fetch-Site` are checked by `Origin`.
 */
const isForged = ({ method, headers, url }: Request): boolean => {
  const site = headers.get('sec-fetch-site');
  const isForeign = ![null, new URL(url).origin].includes(headers.get('origin'));
  return method === 'POST' && (site === null ? isForeign : site !== 'same-origin');
};

/**
 * True if a page asks where its user sees nothing: in the background, in a frame, or ahead of time. Programs do not say so, nor do browsers
 * with WebSockets, and WebKit after redirects: those have an `Origin`, which the opening of a page has not.
 */
const isHidden = ({ method, headers }: Request): boolean =>
  !['document', null].includes(headers.get('sec-fetch-dest')) ||
  headers.has('sec-purpose') ||
  (method === 'GET' && headers.has('origin'));

/** Redirects the browser to a GET of the address, with the answer and the client's `state`. */
function redirect(address: string, answer: Record<string, string>, asked: URLSearchParams, cookie?: string): Response {
  const to = new URL(address);
  const state = asked.get('state');
  to.search = String(new URLSearchParams({ ...answer, ...(state !== null && { state }) }));
  return new Response(null, { status: 303, headers: { location: to.href, ...(cookie && { 'set-cookie': cookie }) } });
}

/**
 * Creates the sign-in and sign-out pages, like Cognito's. They redirect only to these consoles, and a sign-in to the command line. `createCode` grants an authorization
 * request. The cookie's name must be unique to the issuer, because browsers send cookies to every port of the machine.
 */
export function createSignInPages(
  createCode: (sought: AuthorizationRequest) => string,
  cookieName: string,
  consoles: ReadonlySet<string>,
) {
  const sessions = createSessions(cookieName);

  /**
   * Handles the authorization endpoint (OpenID Connect Core 3.1.2, with RFC 7636). GET shows the form, POST submits it. Skips the form if
   * the browser has a session, except for `prompt=login` and the command line, which any page at another port could claim to be.
   */
  async function authorize(request: Request): Promise<Response> {
    if (isForged(request))
      return buildMessage('Not signed in', 'Another page sent this form. Sign in from the console.', 403);
    if (isHidden(request))
      return buildMessage('Not signed in', 'Sign in from a tab of its own: it does not work in a frame.', 403);
    const { searchParams: asked } = new URL(request.url);
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (!isConsolePage(redirectUri, 'signed-in', consoles) && !isCommandLine(redirectUri))
      return rejectAddress('redirect_uri', '/console/signed-in');
    if (asked.get('client_id') !== clientId)
      return buildMessage('Unknown client', `The client_id must be ${clientId}`, 400);

    const redirectWithError = (error: string, because: string) =>
      redirect(redirectUri, { error, error_description: because }, asked);
    const scope = asked.get('scope') ?? '';
    const challenge = asked.get('code_challenge') ?? '';
    if (asked.get('response_type') !== 'code') return redirectWithError('unsupported_response_type', 'It must be code');
    if (!scope.split(' ').includes('openid')) return redirectWithError('invalid_scope', 'openid must be part of it');
    if (asked.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      return redirectWithError('invalid_request', 'PKCE is required, by S256');

    const known = sessions.find(request);
    const mustAsk = asked.get('prompt')?.split(' ').includes('login') || isCommandLine(redirectUri);
    const entered = request.method === 'POST' ? readFields(await request.text()) : undefined;
    const signIn = entered ?? (mustAsk ? undefined : known);
    if (!signIn?.name) return buildForm(known ?? { name: 'demo', workspace: '', role: '' }, workspaces !== undefined);
    const claims = toClaims(signIn);
    const nonce = asked.get('nonce') ?? undefined;
    const code = createCode({ sub: signIn.name, claims, scope, nonce, challenge, redirectUri });
    return redirect(redirectUri, { code }, asked, entered && sessions.begin(entered));
  }

  /** Ends the session (RP-Initiated Logout 1.0). Also accepts Cognito's name of the redirect parameter. */
  function logout(request: Request): Response {
    const { searchParams: asked } = new URL(request.url);
    const target = asked.get('post_logout_redirect_uri') ?? asked.get('logout_uri') ?? '';
    if (!isConsolePage(target, '', consoles)) return rejectAddress('post_logout_redirect_uri', '/console/');
    return redirect(target, {}, asked, sessions.end(request));
  }

  return { authorize, logout };
}
