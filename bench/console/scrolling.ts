import type { Page } from 'playwright-core';

/** Measurements of a page while it scrolls. */
export interface ScrollResult {
  /** Times between frames, in milliseconds. */
  frames: number[];
  /** Durations of the tasks over 50 ms, in milliseconds. */
  longTasks: number[];
  /** Maximum number of elements in the page. */
  elements: number;
}

interface ScrollOptions {
  /** Number of frames. */
  steps: number;
  /** Pixels per frame. */
  pixels: number;
}

/** Scrolls a page down from its middle and measures the frames. */
export const scrollDown = (page: Page, { steps, pixels }: ScrollOptions): Promise<ScrollResult> =>
  page.evaluate(
    async ([steps, pixels]) => {
      const target = document.documentElement;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      const middle = target.scrollHeight / 2;
      target.scrollTop = middle;
      await frame();
      await frame();
      const longTasks: number[] = [];
      const observer = new PerformanceObserver((list) => {
        longTasks.push(...list.getEntries().map(({ duration }) => duration));
      });
      observer.observe({ type: 'longtask' });
      const frames: number[] = [];
      let elements = 0;
      let last = await frame();
      for (let step = 1; step <= steps; step++) {
        target.scrollTop = middle + step * pixels;
        const now = await frame();
        frames.push(now - last);
        last = now;
        if (step % 20 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
      }
      await frame();
      observer.disconnect();
      return { frames, longTasks, elements };
    },
    [steps, pixels] as const,
  );

/** Scrolls to the end of a list until at least `rows` rows are loaded. */
export async function loadAllRows(page: Page, rows: number): Promise<void> {
  await page.waitForFunction(
    (rows) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return Number(document.querySelector('table')?.getAttribute('aria-rowcount')) >= rows;
    },
    rows,
    { timeout: 120_000, polling: 100 },
  );
}
