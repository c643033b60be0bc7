import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { UserError } from '../../../terminal/user-error.ts';
import { BodyTooLarge, readBody } from '../../body.ts';
import { isFromForeignPage } from '../../foreign-page.ts';
import type { Emulator } from '../emulator.ts';
import { isFromService } from '../request-check.ts';
import type { LocalIssuer } from './issuer.ts';
import { createSignInPages } from './sign-in.ts';
import { createGrants, OAuthError } from './token-grants.ts';

/** Returns the discovery document (OpenID Connect Discovery 1.0). */
const buildDiscovery = (url: string) => ({
  issuer: url,
  jwks_uri: `${url}/.well-known/jwks.json`,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  revocation_endpoint: `${url}/revoke`,
  end_session_endpoint: `${url}/logout`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

type Handler = (request: Request) => Response | Promise<Response>;

/** Creates the handlers of the issuer, by method and path. */
function createHandlers(issuer: LocalIssuer, consoles: ReadonlySet<string>): Record<string, Handler> {
  const { createCode, grant, revoke } = createGrants(issuer);
  const { authorize, logout } = createSignInPages(createCode, `signed-in-${new URL(issuer.url).port}`, consoles);
  const token: Handler = async (request) => {
    const headers = { 'cache-control': 'no-store' };
    try {
      return Response.json(await grant(new URLSearchParams(await request.text())), { headers });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      return Response.json({ error: error.message }, { status: 400, headers });
    }
  };
  return {
    'GET /.well-known/openid-configuration': () => Response.json(buildDiscovery(issuer.url)),
    'GET /.well-known/jwks.json': () => Response.json({ keys: [issuer.publicKey] }),
    'GET /authorize': authorize,
    'POST /authorize': authorize,
    'POST /token': token,
    'POST /revoke': async (request) => {
      await revoke(new URLSearchParams(await request.text()));
      return new Response();
    },
    'GET /logout': logout,
  };
}

/** Maximum size of a form, in bytes: Node takes seconds for a megabyte of them, and the services have one thread. */
const maxFormBytes = 16_384;

/** Converts Node's request to a web `Request`. */
const toWebRequest = (
  { method = 'GET', url = '/', headers }: IncomingMessage,
  base: string,
  body: Buffer<ArrayBuffer> | null,
): Request => new Request(`${base}${url}`, { method, headers: headers as Record<string, string>, body });

/**
 * Serves the issuer's keys, discovery document and sign-in pages for consoles at these origins. Throws UserError if its port is in use.
 */
export async function serveIssuer(issuer: LocalIssuer, consoles: ReadonlySet<string>): Promise<Emulator> {
  const handlers = createHandlers(issuer, consoles);
  const { host, port, hostname } = new URL(issuer.url);

  async function answer(incoming: IncomingMessage): Promise<Response> {
    // Rejects other host names, because a page could reach this address by DNS rebinding and read tokens.
    if (incoming.headers.host !== host) return new Response(null, { status: 421 });
    if (isFromService(incoming))
      return new Response('The issuer answers no tools and no webhooks: name another address', { status: 403 });
    if (incoming.method === 'POST' && isFromForeignPage(incoming, [...consoles]))
      return new Response('The issuer takes forms from its own pages and from consoles', { status: 403 });
    const handle = handlers[`${incoming.method} ${URL.parse(`${issuer.url}${incoming.url}`)?.pathname}`];
    const body = incoming.method === 'POST' ? await readBody(incoming, maxFormBytes) : null;
    const response = handle
      ? await handle(toWebRequest(incoming, issuer.url, body))
      : Response.json({}, { status: 404 });
    const { origin = '' } = incoming.headers;
    if (consoles.has(origin)) response.headers.set('access-control-allow-origin', origin);
    response.headers.set('vary', 'origin');
    return response;
  }

  const server = createServer(async (incoming, outgoing) => {
    const response = await answer(incoming).catch((error) => {
      if (error instanceof BodyTooLarge) return new Response(null, { status: 413 });
      console.error(error);
      return new Response(null, { status: 500 });
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  server.listen(Number(port), hostname);
  await once(server, 'listening').catch(() => {
    throw new UserError(
      `The token issuer's port ${port} is in use: stop the program that uses it (possibly another host on the same DATA_DIR)`,
    );
  });
  return {
    endpoint: issuer.url,
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
