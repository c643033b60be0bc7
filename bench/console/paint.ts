import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { signInAt } from '../../test/console/support/sign-in.ts';

/** How soon a page was there, in several loads. */
export interface Painted {
  page: string;
  /** Milliseconds from the request to the largest contentful paint. */
  lcp: number[];
  /** What was painted then. */
  what: string;
  /** Of JavaScript, compressed as CloudFront does. */
  kilobytes: number;
}

/** What a page tells of its load. The largest paint is the last that it reports before anybody touches it. */
const loadOf = (page: Page) =>
  page.evaluate(async () => {
    const paint = await new Promise<LargestContentfulPaint>((resolve) => {
      new PerformanceObserver((list) => {
        const entries = list.getEntries() as LargestContentfulPaint[];
        setTimeout(() => resolve(entries.at(-1) as LargestContentfulPaint), 500);
      }).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    return {
      lcp: paint.startTime,
      what: paint.element?.tagName.toLowerCase() ?? '–',
      scripts: loaded.filter((name) => name.endsWith('.js')),
    };
  });

/** What scripts weigh when they are compressed, in kilobytes. */
async function weightOf(scripts: string[]): Promise<number> {
  const files = await Promise.all(scripts.map(async (url) => (await fetch(url)).arrayBuffer()));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1000;
}

/** Loads pages with an empty cache on a slowed-down processor, as somebody who has signed in. */
export async function paints(
  browser: Browser,
  url: string,
  { slowdown, loads }: { slowdown: number; loads: number },
): Promise<Painted[]> {
  const page = await browser.newPage();
  await signInAt(page, `${url}/`, 'bench');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const painted: Painted[] = [];
  for (const path of ['/', '/assistants', '/calls', '/overview']) {
    const found = [];
    for (let load = 0; load < loads; load++) {
      await session.send('Network.clearBrowserCache');
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      found.push(await loadOf(page));
    }
    const [{ what, scripts } = { what: '', scripts: [] }] = found;
    painted.push({ page: path, lcp: found.map(({ lcp }) => lcp), what, kilobytes: await weightOf(scripts) });
  }
  await page.context().close();
  return painted;
}
