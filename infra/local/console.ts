import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { caching, documentAt, headers } from '../console/headers.ts';
import { cognitoScope, consolePath, type Places } from '../console/places.ts';
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

/** Whether a request is for the console, and not for the API. */
export const isForConsole = ({ url = '' }: IncomingMessage): boolean => /^\/console(?=[/?]|$)/.test(url);

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

  /** The one page, which finds out by its address what to show. */
  async function page(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
    if (html === undefined) return void response.writeHead(503).end('The console is being built: try again soon');
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': caching.named })
      .end(documentAt(placesFor(request, issuer), html));
  }

  return (request, response) => {
    response.setHeaders(new Map(Object.entries(headers)));
    if (!['GET', 'HEAD'].includes(request.method ?? ''))
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    const [uri = ''] = (request.url ?? '').split('?');
    const asked = handler({ request: { uri } });
    if ('statusCode' in asked) return void response.writeHead(302, { location: consolePath }).end();
    const path = asked.uri.slice(consolePath.length - 1);
    if (path === '/index.html') return void page(request, response);
    if (path === '/config.json')
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': caching.config })
        .end(JSON.stringify(placesFor(request, issuer).config));
    request.url = path;
    files(request, response);
  };
}
