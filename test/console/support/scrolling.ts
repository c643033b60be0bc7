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

/** Scrolls a page, or a box in it, from its top to its bottom in so many frames, and watches what that takes. */
export const scrollThrough = (page: Page, { box, steps }: { box?: string; steps: number }): Promise<Scrolled> =>
  page.evaluate(
    async ([box, steps]) => {
      const target = (box && document.querySelector(box)) || document.documentElement;
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      target.scrollTop = 0;
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
        target.scrollTop = (step / steps) * (target.scrollHeight - target.clientHeight);
        const now = await frame();
        frames.push(now - last);
        last = now;
        if (step % 20 === 0) elements = Math.max(elements, document.querySelectorAll('*').length);
      }
      await frame();
      observer.disconnect();
      return { frames, longTasks, elements };
    },
    [box ?? '', steps] as const,
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
