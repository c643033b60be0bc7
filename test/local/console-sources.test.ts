import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { join } from 'node:path';
import { createServer } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { userAgents } from '../../shared/outbound/user-agents.ts';

process.env.LAUNCH_EDITOR = 'true'; // a program that does nothing
const root = join(import.meta.dirname, '../..');
const vite = await createServer({
  configFile: join(root, 'console/vite.config.ts'),
  server: { port: 0, strictPort: false, watch: null },
  logLevel: 'silent',
});
await vite.listen();
afterAll(() => vite.close());

/** Requests a path as a page at another port of this machine does. */
const get = (path: string, headers = {}) => fetch(new URL(path, vite.resolvedUrls?.local[0]), { headers });

describe('the console from its sources', () => {
  // The fourth is imported by the third.
  it.each(['/console/', '/console/src/main.tsx', '/console/src/strings/keys.ts', '/console/@fs/shared/scopes.ts'])(
    'has %s, which pages at other ports cannot read',
    async (path) => {
      const response = await get(path.replace('@fs', `@fs${root}`));
      expect(response.status).toBe(200);
      expect((await get(path, { origin: 'http://localhost:9' })).status).toBe(403);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
      expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups'); // a page keeps no window of it
    },
  );

  it.each([
    ['cross-site', 'image', '/console/', 403],
    ['same-site', 'script', '/console/src/main.tsx', 403],
    ['cross-site', 'iframe', '/console/', 403],
    ['cross-site', 'image', '/console/__open-in-editor?file=x', 403],
    ['cross-site', 'document', '/console/__open-in-editor?file=x', 403],
    ['cross-site', 'document', '/console/__OPEN-in-editor?file=x', 403],
    ['cross-site', 'document', '/console/src/main.tsx', 403],
    ['cross-site', 'document', '/console/signed-in?code=a__b.c', 200],
    ['cross-site', 'document', '/console/', 200],
    ['same-origin', 'script', '/console/src/main.tsx', 200],
    ['none', 'document', '/console/assistants', 200],
    ['none', 'document', '/console', 404],
    ['none', 'document', '/console/__open-in-editor?file=x', 403],
  ])('answers what a browser sends %s, as %s, for %s, with %i', async (site, destination, path, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': destination, accept: 'text/html' };
    expect((await fetch(new URL(path, vite.resolvedUrls?.local[0]), { headers })).status).toBe(status);
    const ahead = { ...headers, 'sec-purpose': 'prefetch' };
    expect((await fetch(new URL(path, vite.resolvedUrls?.local[0]), { headers: ahead })).status).toBe(403);
  });

  it.each([
    ['http://evil.test', false],
    ['http://localhost:9', false],
    ['null', false],
    [vite.resolvedUrls?.local[0]?.replace('/console/', ''), true],
  ])('opens a WebSocket for a page of %s: %s', async (origin, isOpen) => {
    const url = new URL('/console/?token=x', vite.resolvedUrls?.local[0]);
    const key = { 'sec-websocket-key': 'x'.repeat(22).concat('=='), 'sec-websocket-version': '13' };
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'vite-hmr', ...key };
    const request = requestHttp(url, { headers: { ...headers, origin } }).end();
    const answered = Promise.race([once(request, 'upgrade'), once(request, 'response')]);
    await expect(answered.then(() => true).catch(() => false)).resolves.toBe(isOpen);
    request.destroy();
  });

  it.each(['http://evil.test', 'null'])(
    'answers no request of a page of %s, also without Sec-Fetch-Site',
    async (origin) => {
      const url = new URL('/console/', vite.resolvedUrls?.local[0]);
      expect((await fetch(url, { headers: { origin } })).status).toBe(403);
      expect((await fetch(url, { headers: { origin: url.origin } })).status).not.toBe(403);
    },
  );

  it('answers no webhook and no tool', async () => {
    const headers = { 'user-agent': userAgents.tools };
    expect((await fetch(new URL('/console/', vite.resolvedUrls?.local[0]), { headers })).status).toBe(403);
  });

  it.each(['0.0.0.0', '0', '[::ffff:127.0.0.1]', 'evil.test'])('is not served as %s', async (name) => {
    const { port } = new URL(vite.resolvedUrls?.local[0] ?? '');
    const request = requestHttp({
      port,
      host: 'localhost',
      path: '/console/',
      headers: { host: `${name}:${port}` },
    }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(403);
  });

  it.each(['package.json', 'infra/config.ts', 'shared/search/open.ts', 'node_modules/vite/package.json'])(
    'has no other files of the repository: %s',
    async (path) => {
      expect((await get(`/console/@fs${root}/${path}`)).status).toBe(403);
      expect((await get(`/console/@fs${root}/${path}?raw`)).status).toBe(403);
    },
  );
});
