import type { Browser, Page } from 'playwright-core';
import { signIn } from './sign-in.ts';

/** How soon a page was there, in several loads. */
export interface Painted {
  page: string;
  /** Milliseconds from the request to the largest contentful paint. */
  lcp: number[];
  /** What was painted then. */
  what: string;
  /** Of JavaScript, over the wire. */
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
    const scripts = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return {
      lcp: paint.startTime,
      what: paint.element?.tagName.toLowerCase() ?? '–',
      bytes: scripts
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, { transferSize }) => sum + transferSize, 0),
    };
  });

/** Loads pages with an empty cache on a slowed-down processor, as somebody who has signed in. */
export async function paints(
  browser: Browser,
  url: string,
  { slowdown, loads }: { slowdown: number; loads: number },
): Promise<Painted[]> {
  const page = await browser.newPage();
  await signIn(page, url, 'bench');
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
    const [{ what, bytes } = { what: '', bytes: 0 }] = found;
    painted.push({ page: path, lcp: found.map(({ lcp }) => lcp), what, kilobytes: bytes / 1000 });
  }
  await page.context().close();
  return painted;
}
