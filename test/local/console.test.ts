import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { caching, headers } from '../../infra/console/headers.ts';
import { consoleSite } from '../../infra/local/console.ts';
import { clientId, LocalIssuer } from '../../infra/local/emulators/issuer.ts';
import { deployed, newUser } from '../support/api.ts';

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
const server = createServer(consoleSite(join(folder, 'dist'), issuer)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Asks as it is written, where `fetch` would put the path and the name in order. */
async function ask(path: string, { method = 'GET', host = `127.0.0.1:${port}` } = {}) {
  const asking = requestHttp({ host: '127.0.0.1', port, path, method, headers: { host } }).end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe('the console on this machine', () => {
  it.each(['/console/', '/console/assistants', '/console/assistants/0a1b/?tab=json', '/console/index.html'])(
    'has one page, which is asked for each time: %s',
    async (path) => {
      const page = await ask(path);
      expect(page.status).toBe(200);
      expect(page.body).toContain('<title>x</title>');
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': caching.named,
      });
    },
  );

  it('has the headers that CloudFront sends, on all of it', async () => {
    for (const path of ['/console', '/console/', '/console/config.json', '/console/favicon.svg', '/console/x.js'])
      expect((await ask(path)).headers, path).toMatchObject(headers);
  });

  it('tells its page whom it may talk to, before anything is loaded', async () => {
    const [, policy = ''] =
      /<meta charset="utf-8" \/>\s*<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(
        (await ask('/console/')).body,
      ) ?? [''];
    const directives = Object.fromEntries(
      policy.split('; ').map((directive) => [directive.split(' ', 1)[0], directive.replace(/^\S+ /, '')]),
    );
    expect(directives).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': `'self' http://127.0.0.1:${port}/ ${issuer}/ http://127.0.0.1:*`,
    });
  });

  it('keeps for good what is named by its content, and nothing else', async () => {
    expect(await ask('/console/assets/index-C0ffee.js')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/javascript', 'cache-control': caching.hashed },
    });
    expect(await ask('/console/favicon.svg')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/svg+xml', 'cache-control': caching.named },
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
  ])('has no %s', async (path) => {
    const { status, body } = await ask(path);
    expect([status, body]).toEqual([404, '']);
  });

  it.each([
    [`127.0.0.1:${port}`, '127.0.0.1'],
    ['localhost:5173', 'localhost'],
    ['example.com', '127.0.0.1'],
    ['a"><script>b', '127.0.0.1'],
  ])('tells where it runs, by the name that it is asked by: %s', async (host, hostname) => {
    const { headers, body } = await ask('/console/config.json', { host });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': caching.config });
    expect(JSON.parse(body)).toEqual({
      api: `http://${hostname}:${port}`,
      issuer,
      clientId,
      scope: 'openid email profile',
    });
  });

  it.each(['/docs', '/docs/', '/docs?x'])('has the API reference at %s, with the policy of its page', async (path) => {
    const { status, headers, body } = await ask(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; .*<title>reference</s,
    );
  });

  it('has the OpenAPI document at /openapi.json, which names this API as its server', async () => {
    const { headers, body } = await ask('/openapi.json');
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': caching.named });
    expect(JSON.parse(body)).toEqual({ openapi: '3.1.0', servers: [{ url: `http://127.0.0.1:${port}` }] });
  });

  it('leads to its start, and takes nothing in', async () => {
    expect(await ask('/console')).toMatchObject({ status: 302, headers: { location: '/console/' } });
    expect(await ask('/console?x')).toMatchObject({ status: 302 });
    expect(await ask('/console/', { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  });

  it('says that it is being built while it has no page', async () => {
    renameSync(join(folder, 'dist/index.html'), join(folder, 'index.html'));
    expect((await ask('/console/')).status).toBe(503);
    renameSync(join(folder, 'index.html'), join(folder, 'dist/index.html'));
    expect((await ask('/console/')).status).toBe(200);
  });
});

describe.skipIf(deployed)('the local host', () => {
  const url = inject('baseUrl');

  it('has the console beside the API', async () => {
    const page = await fetch(`${url}/console/`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const config = await (await fetch(`${url}/console/config.json`)).json();
    expect(config).toMatchObject({ api: url, issuer: (await LocalIssuer.open(inject('dataDir'))).url });
    const other = await fetch(`${url}/consoles`);
    expect([other.status, other.headers.get('content-type')]).toEqual([404, 'application/json']);
  });

  it('leads a browser at its root to the console, and tells a program that there is nothing', async () => {
    const askFor = (accept: string) => fetch(`${url}/`, { headers: { accept }, redirect: 'manual' });
    const page = await askFor('text/html,application/xhtml+xml,*/*;q=0.8');
    expect([page.status, page.headers.get('location')]).toEqual([302, '/console/']);
    expect((await askFor('*/*')).status).toBe(404);
  });

  it('lets its pages send files to S3, by a browser that asks first, and no others', async () => {
    const user = await newUser();
    const document = { file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1 };
    const answer = await user.post<{ data: { upload: { url: string; fields: Record<string, string> } } }>(
      '/assistants/knowledge-base/uploads',
      document,
    );
    const { url: s3, fields } = answer.body.data.upload;
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, file: 'x' })) form.set(name, value);
    /** What a browser lets a page do: ask by the first, and read the answer to the second. */
    const mayPost = async (origin: string) => {
      const asked = { origin, 'access-control-request-method': 'POST' };
      const answers = [
        await fetch(s3, { method: 'OPTIONS', headers: asked }),
        await fetch(s3, { method: 'POST', headers: { origin }, body: form }),
      ];
      return answers.map(({ headers }) => headers.has('access-control-allow-origin'));
    };
    const origins = [url, url.replace('127.0.0.1', 'localhost'), 'http://localhost:5173', 'https://example.com'];
    expect(await Promise.all(origins.map(mayPost))).toEqual([
      [true, true],
      [true, true],
      [true, true],
      [false, false],
    ]);
  });
});
