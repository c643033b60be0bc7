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

/** The overview's chart adds half as much again, but the numbers do not wait for it. */
const isChart = (url: string) => /\/bars-[^/]+$/.test(url);

describeConsole('the first load of a page', () => {
  test.for(drawSample(pages, 4, ({ title }) => title))(
    'takes at most 261 KB of compressed JavaScript: $title',
    async ({ path, shows }, { page, clinic }) => {
      await open(page, path(clinic));
      if (shows) await page.getByRole('main').getByText(shows).first().waitFor();
      await page.waitForLoadState('networkidle');
      const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
      const scripts = loaded.filter((url) => url.endsWith('.js') && !isChart(url));
      expect(scripts.some((url) => url.includes('/assets/base-'))).toBe(true);
      expect(scripts.reduce((bytes, url) => bytes + getGzippedBytes(url), 0)).toBeLessThan(261_000);
    },
  );
});
