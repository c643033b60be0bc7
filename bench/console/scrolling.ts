import type { Page } from 'playwright-core';

/** How a page moved while it was scrolled. */
export interface Scrolled {
  /** Milliseconds from each frame to the next. */
  frames: number[];
  /** Milliseconds of each task that was longer than 50. */
  longTasks: number[];
  /** The most elements that were there at a time. */
  elements: number;
}

interface Scrolling {
  /** How many frames. */
  steps: number;
  pixels: number;
}

/** Scrolls a page down from its middle by so many pixels a frame, and watches what that takes. */
export const scrollOn = (page: Page, { steps, pixels }: Scrolling): Promise<Scrolled> =>
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

/** Scrolls a list on to its end until so many rows have been read. */
export async function readAll(page: Page, rows: number): Promise<void> {
  await page.waitForFunction(
    (rows) => {
      window.scrollTo(0, document.documentElement.scrollHeight);
      return Number(document.querySelector('table')?.getAttribute('aria-rowcount')) >= rows;
    },
    rows,
    { timeout: 120_000, polling: 100 },
  );
}
