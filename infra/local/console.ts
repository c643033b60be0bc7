import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { caching, documentAt, headers } from '../console/headers.ts';
import { cognitoScope, consolePath, openApiAt, type Places } from '../console/places.ts';
import { handler } from '../console/viewer-request.ts';
import { clientId } from './emulators/issuer.ts';
import { isLoopback } from './emulators/loopback.ts';

/** Where a browser that asks by one of this machine's names finds the API and what it works with. */
function placesFor({ headers: { host }, socket }: IncomingMessage, issuer: string): Places {
  const asked = `http://${host}`;
  const hostname = isLoopback(asked) ? new URL(asked).hostname : '127.0.0.1';
  return {
    // The port is not that of the name: a development server that passes a request on leaves its own there.
    config: { api: `http://${hostname}:${socket.localPort}`, issuer, clientId, scope: cognitoScope },
    // Documents go to S3 by the gate of the function that has signed their form, and a gate has whatever port is free.
    connect: [`${issuer}/`, 'http://127.0.0.1:*'],
  };
}

/** Asks the function that CloudFront runs where a request goes: to a file of the console's bucket, or elsewhere. */
function route({ url = '' }: IncomingMessage): ReturnType<typeof handler> {
  const [uri = ''] = url.split('?');
  return handler({ request: { uri } });
}

/** True if a request is for the console's origin, and false if for the API's. The root is the console's in a browser alone. */
export function isForConsole(request: IncomingMessage): boolean {
  const routed = route(request);
  if ('uri' in routed) return routed.uri.startsWith(consolePath);
  return !/^\/(\?|$)/.test(request.url ?? '') || (request.headers.accept ?? '').includes('text/html');
}

/** The files of a build that each deployment writes for itself, by their paths below the console's. */
const written = ['/index.html', '/docs/index.html', '/openapi.json'];

/** The console that is in a folder, as CloudFront serves it, to users of an issuer. */
export function consoleSite(folder: string, issuer: string): RequestListener {
  const files = sirv(folder, {
    dev: true, // looks into the folder each time, and so sees another build of it
    etag: true,
    extensions: [],
    setHeaders: (response, path) => {
      response.setHeader('cache-control', path.startsWith('/assets/') ? caching.hashed : caching.named);
    },
  });

  /** Sends what a deployment writes for itself: a page with its policy, or the document with its server. */
  async function sendWritten(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const built = await readFile(join(folder, path), 'utf8').catch(() => undefined);
    if (built === undefined) return void response.writeHead(503).end('The console is being built: try again soon');
    const places = placesFor(request, issuer);
    const [type, body] = path.endsWith('.html')
      ? ['text/html; charset=utf-8', documentAt(places, built)]
      : ['application/json', JSON.stringify(openApiAt(places, built))];
    response.writeHead(200, { 'content-type': type, 'cache-control': caching.named }).end(body);
  }

  return (request, response) => {
    response.setHeaders(new Map(Object.entries(headers)));
    if (!['GET', 'HEAD'].includes(request.method ?? ''))
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    const routed = route(request);
    if ('statusCode' in routed)
      return void response.writeHead(routed.statusCode, { location: routed.headers.location?.value }).end();
    const path = routed.uri.slice(consolePath.length - 1);
    if (written.includes(path)) return void sendWritten(path, request, response);
    if (path === '/config.json')
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': caching.config })
        .end(JSON.stringify(placesFor(request, issuer).config));
    request.url = path;
    files(request, response);
  };
}
