import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../../infra/local/host.ts';
import { table } from '../../infra/markdown.ts';
import { Problem, run } from '../../infra/problem.ts';
import { chromiumPath, launch } from '../../test/console/support/chromium.ts';
import { circumstances, loadNow } from '../compare/circumstances.ts';
import { spreadOf } from '../compare/spread.ts';
import { journey } from './journey.ts';
import { paints } from './paint.ts';
import { scrolls } from './scroll.ts';

const folder = 'docs/console';
const slowdown = 4;
const loads = 7;

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/**
 * Measures the console in this machine's Chromium: how soon its pages are there and how long lists scroll on a slow processor, and how
 * long a new user takes from signing in to an assistant that finds what a document says. Writes docs/console/measured.md, with a film
 * of that and a picture of each step.
 */
run(async () => {
  if (!chromiumPath)
    throw new Problem('Install Chromium, or name it: CHROMIUM_PATH=/path/to/chrome npm run bench:console');
  const loadBefore = loadNow();
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-console-'));
  const host = await startHost({ dir, port: 0 });
  const browser = await launch();
  mkdirSync(folder, { recursive: true });
  try {
    const url = `${host.url}/console`;
    const painted = await paints(browser, url, { slowdown, loads });
    const steps = await journey(browser, url, folder);
    const moved = table(
      [
        'Long',
        'Rows:',
        'Elements:',
        '95 % of frames within, ms:',
        'Times an empty page:',
        'Tasks over 50 ms:',
        'Longest, ms:',
      ],
      (await scrolls(browser, host, slowdown)).map(({ what, rows, elements, frame, times, longTasks, longest }) => [
        what,
        rows.toLocaleString('en'),
        elements.toLocaleString('en'),
        frame.toFixed(0),
        times.toFixed(1),
        String(longTasks),
        longest.toFixed(0),
      ]),
    );
    const first = table(
      ['Page', 'Largest contentful paint, ms:', 'of', 'JavaScript, KB:'],
      painted.map(({ page, lcp, what, kilobytes }) => {
        const { median, low, high } = spreadOf(lcp);
        return [page, `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`, what, kilobytes.toFixed(0)];
      }),
    );
    const walked = table(
      ['Second:', 'Step', 'Picture'],
      steps.map(({ at, what, picture }) => [seconds(at), what, `![${what}](${picture})`]),
    );
    writeFileSync(
      join(folder, 'measured.md'),
      `<!-- Written by npm run bench:console -->

# The console, measured

Measured on ${circumstances(loadBefore)}.

## First load

Chromium with its processor slowed down ${slowdown} times and nothing in its cache, ${loads} loads of each page: medians, and in brackets
between which two the true median lies with 95 % probability. JavaScript is all that such a load brings until the page rests, gzipped;
a test holds it below 260 KB. The overview's chart, which this user has no calls for, comes on top of that.

${first}

## Scrolling

Down from the middle, 100 pixels a frame for 300 frames, once all of it was read, with the processor slowed down ${slowdown} times:
how much later frames come than on a page with nothing on it.

${moved}

## From signing in to a working assistant

A new user who types 15 characters a second, waits for each page and for his document to be read: ${seconds(steps.at(-1)?.at ?? 0)} seconds.

![A film of it, as fast as it was](journey.gif)

${walked}
`,
    );
    console.log(`${first}\n\n${moved}\n\n${walked}`);
  } finally {
    await browser.close();
    await host.stop();
    rmSync(dir, { recursive: true });
  }
});
