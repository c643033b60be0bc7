import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { signInTo } from '../../test/console/support/sign-in.ts';

/** Load times of a page, measured several times. */
export interface PagePaint {
  page: string;
  /** Milliseconds from the request to the largest contentful paint. */
  lcp: number[];
  /** Tag of the largest painted element. */
  what: string;
  /** Size of the JavaScript, compressed as by CloudFront. */
  kilobytes: number;
}

/** Reads a page's measurements of its load. The largest paint is the last one that is reported before any interaction. */
const readPaint = (page: Page) =>
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

/** Returns the compressed size of scripts in kilobytes. */
async function getGzippedKilobytes(scripts: string[]): Promise<number> {
  const files = await Promise.all(scripts.map(async (url) => (await fetch(url)).arrayBuffer()));
  return files.reduce((sum, file) => sum + gzipSync(file).length, 0) / 1000;
}

/** Measures page loads of a signed-in user, with an empty cache and a CPU slowdown. */
export async function measurePaints(
  browser: Browser,
  url: string,
  { slowdown, loads }: { slowdown: number; loads: number },
): Promise<PagePaint[]> {
  const page = await browser.newPage();
  await signInTo(page, `${url}/`, 'bench');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const painted: PagePaint[] = [];
  for (const path of ['/', '/assistants', '/calls', '/overview']) {
    const found = [];
    for (let load = 0; load < loads; load++) {
      await session.send('Network.clearBrowserCache');
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      found.push(await readPaint(page));
    }
    const [{ what, scripts } = { what: '', scripts: [] }] = found;
    painted.push({ page: path, lcp: found.map(({ lcp }) => lcp), what, kilobytes: await getGzippedKilobytes(scripts) });
  }
  await page.context().close();
  return painted;
}
