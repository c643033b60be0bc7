import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { drawSample } from '../support/sample.ts';
import { test } from './support/clinic.ts';
import { consoleUrl, describeConsole, open } from './support/console.ts';
import { pages } from './support/pages.ts';

const dist = join(import.meta.dirname, '../../console/dist');

/** Returns the gzipped size of a script in bytes. */
const getGzippedBytes = (url: string) => gzipSync(readFileSync(join(dist, url.replace(consoleUrl, '')))).length;

/** Charts add half as much again, tools 7 KB, but nothing above the fold waits for them. */
const isBelowFold = (url: string) => /\/(?:bars|call-sections|name-input|tools)-[^/]+$/.test(url);

describeConsole('the first load of a page', () => {
  test.for(drawSample(pages, 4, ({ title }) => title))(
    'takes at most 268 KB of compressed JavaScript: $title',
    async ({ path, shows }, { page, clinic }) => {
      await open(page, path(clinic));
      if (shows) await page.getByRole('main').getByText(shows).first().waitFor();
      await page.waitForLoadState('networkidle');
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const scripts = loaded.filter((url) => url.endsWith('.js') && !isBelowFold(url));
      expect(scripts.some((url) => url.includes('/assets/base-'))).toBe(true);
      expect(scripts.reduce((bytes, url) => bytes + getGzippedBytes(url), 0)).toBeLessThan(268_000);
    },
  );
});
