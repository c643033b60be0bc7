import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Problem } from '../../problem.ts';
import type { Emulator } from './emulator.ts';
import { grants, Refused } from './grants.ts';
import type { LocalIssuer } from './issuer.ts';
import { signInPages } from './sign-in.ts';

/** What the issuer tells of itself (OpenID Connect Discovery 1.0). */
const discovery = (url: string) => ({
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

type Answer = (request: Request) => Response | Promise<Response>;

/** What the issuer answers, by method and path. */
function answersOf(issuer: LocalIssuer, consoles: ReadonlySet<string>): Record<string, Answer> {
  const { codeFor, grant, revoke } = grants(issuer);
  const { authorize, logout } = signInPages(codeFor, `signed-in-${new URL(issuer.url).port}`, consoles);
  const token: Answer = async (request) => {
    const headers = { 'cache-control': 'no-store' };
    try {
      return Response.json(await grant(new URLSearchParams(await request.text())), { headers });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return Response.json({ error: error.message }, { status: 400, headers });
    }
  };
  return {
    'GET /.well-known/openid-configuration': () => Response.json(discovery(issuer.url)),
    'GET /.well-known/jwks.json': () => Response.json({ keys: [issuer.publicKey] }),
    'GET /authorize': authorize,
    'POST /authorize': authorize,
    'POST /token': token,
    'POST /revoke': async (request) => {
      revoke(new URLSearchParams(await request.text()));
      return new Response();
    },
    'GET /logout': logout,
  };
}

/** A request as Node has it, as the web does. */
async function webRequest(incoming: IncomingMessage, base: string): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'POST' ? await text(incoming) : null;
  return new Request(`${base}${url}`, { method, headers: headers as Record<string, string>, body });
}

/**
 * Serves the issuer's key and documents, and the pages on which a browser signs in to it, for the consoles of these origins. Throws
 * Problem where its port is taken.
 */
export async function serveIssuer(issuer: LocalIssuer, consoles: ReadonlySet<string>): Promise<Emulator> {
  const answers = answersOf(issuer, consoles);
  const { host, port, hostname } = new URL(issuer.url);

  async function answer(incoming: IncomingMessage): Promise<Response> {
    // Another name of this address is that of a page from elsewhere, which would read tokens.
    if (incoming.headers.host !== host) return new Response(null, { status: 421 });
    const request = await webRequest(incoming, issuer.url);
    const found = answers[`${request.method} ${new URL(request.url).pathname}`];
    const response = found ? await found(request) : Response.json({}, { status: 404 });
    const origin = request.headers.get('origin') ?? '';
    if (consoles.has(origin)) response.headers.set('access-control-allow-origin', origin);
    response.headers.set('vary', 'origin');
    return response;
  }

  const server = createServer(async (incoming, outgoing) => {
    const response = await answer(incoming).catch((error) => {
      console.error(error);
      return new Response(null, { status: 500 });
    });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  server.listen(Number(port), hostname);
  await once(server, 'listening').catch(() => {
    throw new Problem(
      `The token issuer's port ${port} is taken: stop what uses it (or another host on the same DATA_DIR)`,
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
