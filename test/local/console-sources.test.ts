import { join } from 'node:path';
import { createServer } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const vite = await createServer({
  configFile: join(root, 'console/vite.config.ts'),
  server: { port: 0, strictPort: false, watch: null },
  logLevel: 'silent',
});
await vite.listen();
afterAll(() => vite.close());

/** Requests a path as a page at another port of this machine does. */
const get = (path: string) =>
  fetch(new URL(path, vite.resolvedUrls?.local[0]), { headers: { origin: 'http://localhost:9' } });

describe('the console from its sources', () => {
  it.each(['/console/', '/console/src/main.tsx', '/console/@fs/shared/scopes.ts'])(
    'has %s, which pages at other ports cannot read',
    async (path) => {
      const response = await get(path.replace('@fs', `@fs${root}`));
      expect(response.status).toBe(200);
      expect(response.headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  it.each([
    ['cross-site', 'image', 403],
    ['same-site', 'script', 403],
    ['cross-site', 'iframe', 403],
    ['cross-site', 'document', 200],
    ['same-origin', 'script', 200],
    ['none', 'empty', 200],
  ])('answers what a browser marks as %s, for a place of type %s, with %i', async (site, destination, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-dest': destination };
    for (const path of ['/console/src/main.tsx', ...(status === 403 ? ['/console/__open-in-editor?file=x'] : [])])
      expect((await fetch(new URL(path, vite.resolvedUrls?.local[0]), { headers })).status).toBe(status);
  });

  it.each(['package.json', 'infra/config.ts'])('has no other files of the repository: %s', async (path) => {
    expect((await get(`/console/@fs${root}/${path}`)).status).toBe(403);
    expect((await get(`/console/@fs${root}/${path}?raw`)).status).toBe(403);
  });
});
