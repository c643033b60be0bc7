import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { isFromService } from '../infra/local/emulators/request-check.ts';
import { isForAnotherMachine } from '../infra/local/foreign-page.ts';
import { headers } from '../infra/stacks/console/headers.ts';

/** URL at which `npm start` serves the API, its reference and the console's configuration. */
const host = process.env.CONSOLE_HOST ?? 'http://127.0.0.1:3000';

/** Matches the address of a page of the console or of the API's reference. Those of Vite's own services and of modules have other characters. */
const pageAddress = /^\/(?:docs|openapi\.json|console(?:\/[a-z\d/-]*)?)?(?:\?|$)/;

/**
 * Refuses what browsers send for other pages, except to open a page of the console, and what webhooks and tools send: Vite would start an
 * editor for them, and keep each spelling of a module in memory. Browsers say for which page only to addresses that they trust, such as `localhost`.
 */
const refuseOtherPages: Plugin = {
  name: 'refuse-other-pages',
  configureServer({ middlewares, httpServer }) {
    const isAllowed = (request: IncomingMessage) => {
      const { url = '', headers } = request;
      const { host, origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination, 'sec-purpose': purpose } = headers;
      const opensPage = destination === 'document' && pageAddress.test(url);
      const isOwn = site === undefined || site === 'same-origin'; // `none` stays when a server redirects what the user opened
      const isForeign = origin !== undefined && origin !== `http://${host}`; // with WebSockets and some of WebKit's requests, browsers send no more
      const isRefused = isForAnotherMachine(request) || isFromService(request) || isForeign || purpose !== undefined; // browsers fetch ahead for any page
      return !isRefused && (opensPage || isOwn);
    };
    middlewares.use((request, response, next) => {
      if (isAllowed(request)) return next();
      response.writeHead(403).end('This server is for the pages of the console only');
    });
    httpServer?.prependListener('upgrade', (request, socket) => {
      if (!isAllowed(request)) socket.destroy();
    });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), refuseOtherPages],
  build: {
    target: 'es2023',
    // Lists each chunk with its imports.
    manifest: true,
    chunkSizeWarningLimit: 800,
    // Keeps fonts in separate files: the content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    // One style sheet for all pages: a lazy page loads only code, so that a failed load can be retried.
    cssCodeSplit: false,
    // One file for the libraries that every page needs, and one for code that many pages share: few files compress
    // better.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: 'node_modules', tags: ['$initial'] },
            { name: 'shared', minShareCount: 5 },
          ],
        },
      },
    },
  },
  // Origin that the API of `dev` allows (infra/config.ts).
  server: {
    host: 'localhost',
    port: 5173,
    strictPort: true,
    headers: { 'cross-origin-opener-policy': headers['cross-origin-opener-policy'] },
    // Vite's defaults let pages at all ports of this machine read all files of the repository, such as the data folder.
    cors: false,
    fs: {
      // Vite adds the modules that these files import, but no fonts.
      allow: ['.', '../node_modules/.vite', '../node_modules/@fontsource-variable'].map((path) =>
        join(import.meta.dirname, path),
      ),
    },
    proxy: { '/console/config.json': host, '/console/docs/': host, '/docs': host, '/openapi.json': host },
  },
});
