import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm start` serves the API, its reference and the console's configuration. */
const host = process.env.CONSOLE_HOST ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  build: {
    target: 'es2023',
    // What loads what: the test of the first load's size reads it.
    manifest: true,
    chunkSizeWarningLimit: 800,
    // Fonts stay files of their own: the content security policy allows no data: ones.
    assetsInlineLimit: 0,
    // One style sheet: a page that comes later brings none, so that its code can be tried again by itself.
    cssCodeSplit: false,
    // The libraries that every page needs, in one file, and what many pages share, in another: few files compress better.
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
  // The origin that the API of `dev` allows (infra/config.ts).
  server: {
    host: 'localhost',
    port: 5173,
    strictPort: true,
    proxy: { '/console/config.json': host, '/console/docs/': host, '/docs': host, '/openapi.json': host },
  },
});
