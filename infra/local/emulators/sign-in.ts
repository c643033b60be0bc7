import type { Sought } from './grants.ts';
import { clientId } from './issuer.ts';
import { isConsolePage } from './loopback.ts';
import { askWho, say } from './sign-in-page.ts';

/** The cookie in which a browser keeps who signed in, until it is closed or the console signs out. */
const sessionCookies = (cookieName: string) => ({
  set: (name: string) => `${cookieName}=${Buffer.from(name).toString('base64url')}; Path=/; HttpOnly; SameSite=Lax`,
  clear: `${cookieName}=; Path=/; Max-Age=0`,
  nameIn({ headers }: Request): string | undefined {
    const cookies = headers.get('cookie')?.split('; ') ?? [];
    const value = cookies.find((cookie) => cookie.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1);
    return value && Buffer.from(value, 'base64url').toString();
  },
});

const misled = (field: string, page: string) =>
  say('This leads nowhere', `The ${field} must be that of the console which this host serves: …${page}`, 400);

/** True if a page of another origin sent a form, which could sign a browser in as somebody else (login CSRF). */
const isForged = ({ method, headers }: Request): boolean =>
  method === 'POST' && !['same-origin', null].includes(headers.get('sec-fetch-site'));

/** Sends the browser on by GET, with what the client's own `state` tells it. */
function goTo(address: string, answer: Record<string, string>, asked: URLSearchParams, cookie?: string): Response {
  const to = new URL(address);
  const state = asked.get('state');
  to.search = String(new URLSearchParams({ ...answer, ...(state !== null && { state }) }));
  return new Response(null, { status: 303, headers: { location: to.href, ...(cookie && { 'set-cookie': cookie }) } });
}

/**
 * The pages on which people sign in and out, as Cognito has them, and which lead back to these consoles alone. `codeFor` grants what
 * they ask for. The cookie's name must be the issuer's own: a browser sends it to every port of the machine.
 */
export function signInPages(codeFor: (sought: Sought) => string, cookieName: string, consoles: ReadonlySet<string>) {
  const session = sessionCookies(cookieName);

  /**
   * The authorization endpoint (OpenID Connect Core 3.1.2, with RFC 7636): GET asks for a name, POST brings it. Whoever is
   * known already is not asked again, but for `prompt=login`.
   */
  async function authorize(request: Request): Promise<Response> {
    if (isForged(request)) return say('Not signed in', 'Another page sent this form. Sign in from the console.', 403);
    const { searchParams: asked } = new URL(request.url);
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (!isConsolePage(redirectUri, 'signed-in', consoles)) return misled('redirect_uri', '/console/signed-in');
    if (asked.get('client_id') !== clientId) return say('Unknown client', `The client_id must be ${clientId}`, 400);

    const refuse = (error: string, because: string) => goTo(redirectUri, { error, error_description: because }, asked);
    const scope = asked.get('scope') ?? '';
    const challenge = asked.get('code_challenge') ?? '';
    if (asked.get('response_type') !== 'code') return refuse('unsupported_response_type', 'It must be code');
    if (!scope.split(' ').includes('openid')) return refuse('invalid_scope', 'openid must be part of it');
    if (asked.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
      return refuse('invalid_request', 'PKCE is required, by S256');

    const known = session.nameIn(request);
    const mustAsk = asked.get('prompt')?.split(' ').includes('login');
    const sub =
      request.method === 'POST' ? new URLSearchParams(await request.text()).get('name')?.trim() : !mustAsk && known;
    if (!sub) return askWho(known ?? 'demo');
    const nonce = asked.get('nonce') ?? undefined;
    const code = codeFor({ sub, scope, nonce, challenge, redirectUri });
    return goTo(redirectUri, { code }, asked, session.set(sub));
  }

  /** The end of the session (RP-Initiated Logout 1.0), by Cognito's name for the address too. */
  function logout(request: Request): Response {
    const { searchParams: asked } = new URL(request.url);
    const target = asked.get('post_logout_redirect_uri') ?? asked.get('logout_uri') ?? '';
    if (!isConsolePage(target, '', consoles)) return misled('post_logout_redirect_uri', '/console/');
    return goTo(target, {}, asked, session.clear);
  }

  return { authorize, logout };
}
