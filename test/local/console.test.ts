import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createConsoleSite } from '../../infra/local/console.ts';
import { clientId, LocalIssuer } from '../../infra/local/emulators/issuer/issuer.ts';
import { cacheControl, headers } from '../../infra/stacks/console/headers.ts';
import { createUser, deployed } from '../support/api.ts';

const folder = mkdtempSync(join(tmpdir(), 'voice-assistants-console-'));
for (const name of ['dist/assets', 'dist/docs']) mkdirSync(join(folder, name), { recursive: true });
const files = {
  'dist/index.html': '<!doctype html><head><meta charset="utf-8" /><title>x</title></head>',
  'dist/docs/index.html': '<!doctype html><head><meta charset="utf-8" /><title>reference</title></head>',
  'dist/openapi.json': '{"openapi":"3.1.0","servers":[]}',
  'dist/favicon.svg': '<svg/>',
  'dist/assets/index-C0ffee.js': 'alert(1)',
  'secret.txt': 'canary',
};
for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);

const issuer = 'http://127.0.0.1:20000';
const server = createServer(
  createConsoleSite(join(folder, 'dist'), {
    issuer,
    voiceServers: ['wss://clinic.example.com'],
    ocrLanguages: ['en', 'ko'],
  }),
).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request with exactly this path and host. `fetch` would normalize them. */
async function sendRaw(
  path: string,
  { method = 'GET', host = `127.0.0.1:${port}`, ...others }: Record<string, string> = {},
) {
  const request = requestHttp({ host: '127.0.0.1', port, path, method, headers: { host, ...others } }).end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('the local console', () => {
  it.each(['/console/', '/console/assistants', '/console/assistants/0a1b/?tab=json', '/console/index.html'])(
    'serves one page, which browsers revalidate: %s',
    async (path) => {
      const page = await sendRaw(path);
      expect(page.status).toBe(200);
      expect(page.body).toContain('<title>x</title>');
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': cacheControl.named,
      });
    },
  );

  it('sends the same headers as CloudFront for every path', async () => {
    for (const path of ['/console', '/console/', '/console/config.json', '/console/favicon.svg', '/console/x.js'])
      expect((await sendRaw(path)).headers, path).toMatchObject(headers);
  });

  it('serves whole files, also if a range is asked for', async () => {
    for (const range of ['bytes=0-1', 'bytes=10-5', 'bytes=-'])
      expect(await sendRaw('/console/favicon.svg', { range })).toMatchObject({ status: 200, body: '<svg/>' });
  });

  it.skipIf(process.platform !== 'linux')('closes a file whose client goes away', async () => {
    const large = join(folder, 'dist/assets/large.js');
    writeFileSync(large, Buffer.alloc(20_000_000, ' ')); // more than the system keeps for a client that does not read
    const countOpen = () =>
      globSync('/proc/self/fd/*').filter((link) => existsSync(link) && readlinkSync(link) === large).length;
    const clients = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'));
    for (const client of clients)
      client.pause().write(`GET /console/assets/large.js HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await expect.poll(countOpen).toBe(5);
    for (const client of clients) client.destroy();
    await expect.poll(countOpen).toBe(0);
  });

  it('limits the connections of its page with a policy at the start of the document', async () => {
    const [, policy = ''] =
      /<meta charset="utf-8" \/>\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(
        (await sendRaw('/console/')).body,
      ) ?? [''];
    const directives = Object.fromEntries(
      policy.split('; ').map((directive) => [directive.split(' ', 1)[0], directive.replace(/^\S+ /, '')]),
    );
    expect(directives).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': [
        `'self' http://127.0.0.1:${port}/ ${issuer}/ http://127.0.0.1:*`,
        'ws://localhost:* http://localhost:* ws://127.0.0.1:* http://127.0.0.1:*',
        'wss://clinic.example.com https://clinic.example.com',
      ].join(' '),
    });
  });

  it('lets browsers cache only hashed files forever', async () => {
    expect(await sendRaw('/console/assets/index-C0ffee.js')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript', 'cache-control': cacheControl.hashed },
    });
    expect(await sendRaw('/console/favicon.svg')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/svg+xml', 'cache-control': cacheControl.named },
    });
  });

  it.each([
    '/console/assets/index-00ff.js',
    '/console/nothing.png',
    '/console/..%2fsecret.txt',
    '/console/../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/%00.txt',
    '/console/%ff.txt',
  ])('returns 404 for %s', async (path) => {
    const { status, body } = await sendRaw(path);
    expect([status, body]).toEqual([404, '']);
  });

  it.each([`127.0.0.1:${port}`, 'localhost:5173', 'example.com', 'a"><script>b'])(
    'serves its configuration with the API at 127.0.0.1, also to a development server: %s',
    async (host) => {
      const { headers, body } = await sendRaw('/console/config.json', { host });
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': cacheControl.config });
      expect(JSON.parse(body)).toEqual({
        api: `http://127.0.0.1:${port}`,
        issuer,
        clientId,
        scope: 'openid email profile',
        voiceServers: ['ws://localhost:*', 'ws://127.0.0.1:*', 'wss://clinic.example.com'],
        ocrLanguages: ['en', 'ko'],
      });
    },
  );

  it.each(['/docs', '/docs/', '/docs?x'])('serves the API reference at %s, with the same policy', async (path) => {
    const { status, headers, body } = await sendRaw(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; .*<title>reference</s,
    );
  });

  it('serves the OpenAPI document at /openapi.json, with this API as its server', async () => {
    const { headers, body } = await sendRaw('/openapi.json');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': cacheControl.named });
    expect(JSON.parse(body)).toEqual({ openapi: '3.1.0', servers: [{ url: `http://127.0.0.1:${port}` }] });
  });

  it('redirects to its start page, and rejects other methods than GET and HEAD', async () => {
    expect(await sendRaw('/console')).toMatchObject({ status: 302, headers: { location: '/console/' } });
    expect(await sendRaw('/console?x')).toMatchObject({ status: 302 });
    expect(await sendRaw('/console/', { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    });
  });

  it('returns 503 while its page is being built', async () => {
    renameSync(join(folder, 'dist/index.html'), join(folder, 'index.html'));
    expect((await sendRaw('/console/')).status).toBe(503);
    renameSync(join(folder, 'index.html'), join(folder, 'dist/index.html'));
    expect((await sendRaw('/console/')).status).toBe(200);
  });
});

describe.skipIf(deployed)('the local host', () => {
  const url = inject('baseUrl');

  it('serves the console and the API at one origin', async () => {
    const page = await fetch(`${url}/console/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const config = await (await fetch(`${url}/console/config.json`)).json();
    expect(config).toMatchObject({ api: url, issuer: (await LocalIssuer.open(inject('dataDir'))).url });
    const other = await fetch(`${url}/consoles`);
    expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  it('has its console at 127.0.0.1 only, as another program may serve its port at localhost', async () => {
    const { port } = new URL(url);
    const get = async (path: string) => {
      const headers = { host: `localhost:${port}` };
      const request = requestHttp({ host: '127.0.0.1', port, path, headers }).end();
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      return [answer.resume().statusCode, answer.headers.location];
    };
    expect(await get('/console/assistants?x')).toEqual([302, `${url}/console/assistants?x`]);
    expect(await get('/assistants')).toEqual([401, undefined]);
    expect(await get('/openapi.json')).toEqual([200, undefined]);
    const page = `http://localhost:${port}/console/signed-in`;
    const asked = await fetch(`${(await LocalIssuer.open(inject('dataDir'))).url}/authorize?redirect_uri=${page}`);
    expect([asked.status, await asked.text()]).toEqual([400, expect.stringContaining('redirect_uri')]);
  });

  it('redirects browsers from its root to the console, and returns 404 to programs', async () => {
    const getRoot = (accept: string) => fetch(`${url}/`, { headers: { accept }, redirect: 'manual' });
    const page = await getRoot('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/console/']);
    expect((await getRoot('*/*')).status).toBe(404);
  });

  it('lets only its own pages upload files to S3', async () => {
    const user = await createUser();
    const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1 };
    const answer = await user.post<{ data: { upload: { url: string; fields: Record<string, string> } } }>(
      '/assistants/knowledge-base/uploads',
      document,
    );
    const { url: s3, fields } = answer.body.data.upload;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, file: 'x' })) form.set(name, value);
    /** Returns whether CORS allows the preflight request, and reading the response to the form. */
    const checkCors = async (origin: string) => {
      const asked = { origin, 'access-control-request-method': 'POST' };
      const answers = [
        await fetch(s3, { method: 'OPTIONS', headers: asked }),
        await fetch(s3, { method: 'POST', headers: { origin }, body: form }),
      ];
      return answers.map(({ headers }) => headers.has('access-control-allow-origin'));
    };
    const origins = [url, url.replace('127.0.0.1', 'localhost'), 'http://localhost:5173', 'https://example.com'];
    expect(await Promise.all(origins.map(checkCors))).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});
