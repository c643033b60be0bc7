import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { finished, type Readable } from 'node:stream';
import sirv from 'sirv';
import { type ConsoleDeployment, cognitoScope, consolePath, setApiServer } from '../stacks/console/deployment.ts';
import { addContentPolicy, cacheControl, headers } from '../stacks/console/headers.ts';
import { handler } from '../stacks/console/viewer-request.ts';
import { clientId } from './emulators/issuer/issuer.ts';

/** Servers of LiveKit on this machine. */
const localVoiceServers = ['ws://localhost:*', 'ws://127.0.0.1:*'];

/** Addresses that do not depend on the request. */
interface SiteProps {
  issuer: string;
  voiceServers?: readonly string[] | undefined;
  ocrLanguages: readonly string[];
}

/** Returns the origin of this host. Not at `localhost`, where another program may serve the same port: browsers look for it at ::1 first. */
const getOrigin = ({ socket }: IncomingMessage): string => `http://127.0.0.1:${socket.localPort}`;

/** Returns the addresses of the API and issuer. */
function buildPlaces(
  request: IncomingMessage,
  { issuer, voiceServers = [], ocrLanguages }: SiteProps,
): ConsoleDeployment {
  return {
    config: {
      api: getOrigin(request),
      issuer,
      clientId,
      scope: cognitoScope,
      voiceServers: [...localVoiceServers, ...voiceServers],
      ocrLanguages,
    },
    // Uploads go through the permission proxy of the function that signed the form, and proxies listen on random ports.
    connect: [`${issuer}/`, 'http://127.0.0.1:*'],
  };
}

/** Routes a request by the CloudFront function: to a file of the console's bucket, a redirect or the API. */
function route({ url = '' }: IncomingMessage): ReturnType<typeof handler> {
  const [uri = ''] = url.split('?');
  return handler({ request: { uri } });
}

/** True if a request is for the console, not the API. The root path serves the console to browsers only. */
export function isForConsole(request: IncomingMessage): boolean {
  const routed = route(request);
  if ('uri' in routed) return routed.uri.startsWith(consolePath);
  return !/^\/(\?|$)/.test(request.url ?? '') || (request.headers.accept ?? '').includes('text/html');
}

/** Files that each deployment generates from the build, by their paths below the console's. */
const generatedFiles = ['/index.html', '/docs/index.html', '/openapi.json'];

/** Creates a listener that serves a build of the console as CloudFront does. */
export function createConsoleSite(folder: string, props: SiteProps): RequestListener {
  const files = sirv(folder, {
    dev: true, // reads the folder on each request, so a new build takes effect
    etag: true,
    extensions: [],
    setHeaders: (response, path) => {
      response.setHeader('cache-control', path.startsWith('/assets/') ? cacheControl.hashed : cacheControl.named);
    },
  });

  /** Sends a generated file: a page with its content security policy, or the OpenAPI document with its server. */
  async function sendGenerated(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const built = await readFile(join(folder, path), 'utf8').catch(() => undefined);
    if (built === undefined) return void response.writeHead(503).end('The console is being built: try again soon');
    const places = buildPlaces(request, props);
    const [type, body] = path.endsWith('.html')
      ? ['text/html; charset=utf-8', addContentPolicy(places, built)]
      : ['application/json', JSON.stringify(setApiServer(places, built))];
    response.writeHead(200, { 'content-type': type, 'cache-control': cacheControl.named }).end(body);
  }

  return (request, response) => {
    response.setHeaders(new Map(Object.entries(headers)));
    if (!['GET', 'HEAD'].includes(request.method ?? ''))
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    const routed = route(request);
    if ('statusCode' in routed)
      return void response.writeHead(routed.statusCode, { location: routed.headers.location?.value }).end();
    const path = routed.uri.slice(consolePath.length - 1);
    if (path.endsWith('.html') && request.headers.host === `localhost:${request.socket.localPort}`)
      return void response.writeHead(302, { location: `${getOrigin(request)}${request.url}` }).end();
    if (generatedFiles.includes(path)) return void sendGenerated(path, request, response);
    if (path === '/config.json')
      return void response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': cacheControl.config })
        .end(JSON.stringify(buildPlaces(request, props).config));
    request.url = path;
    delete request.headers.range; // sirv throws on some ranges
    // sirv keeps a file open if its client leaves, and crashes if it cannot read the file.
    response.once('pipe', (file: Readable) => {
      file.on('error', () => response.destroy());
      finished(response, () => file.destroy());
    });
    files(request, response);
  };
}
