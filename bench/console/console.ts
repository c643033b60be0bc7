import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHost } from '../../infra/local/host.ts';
import { readArguments } from '../../infra/terminal/arguments.ts';
import { formatTable } from '../../infra/terminal/markdown.ts';
import { run, UserError } from '../../infra/terminal/user-error.ts';
import { chromiumPath, launch } from '../../test/console/support/chromium.ts';
import { describeConditions, getLoad } from '../compare/conditions.ts';
import { toSpread } from '../compare/spread.ts';
import { measureJourney } from './journey.ts';
import { measurePaints } from './page-loads.ts';
import { measureScrolling } from './scroll.ts';

const folder = 'docs/console';
const cpuSlowdown = 4;
const loads = 7;

const formatSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

const usage = `Usage: npm run bench:console
Measures the console in Chromium. Writes docs/console/measured.md.`;

/**
 * Measures the console in the local Chromium: how fast its pages load and long lists scroll on a slow processor, and how long a new
 * user takes from signing in to an assistant that answers from a document. Writes docs/console/measured.md.
 */
run(async () => {
  readArguments(usage);
  if (!chromiumPath)
    throw new UserError('Install Chromium, or set its path: CHROMIUM_PATH=/path/to/chrome npm run bench:console');
  const loadBefore = getLoad();
  const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-console-'));
  const host = await startHost({ dir, port: 0 });
  const browser = await launch();
  try {
    const url = `${host.url}/console`;
    const painted = await measurePaints(browser, url, { slowdown: cpuSlowdown, loads });
    const steps = await measureJourney(browser, url);
    const scrollTable = formatTable(
      [
        'Long',
        'Rows:',
        'Elements:',
        '95 % of frames within, ms:',
        'Times an empty page:',
        'Tasks over 50 ms:',
        'Longest, ms:',
      ],
      (await measureScrolling(browser, host, cpuSlowdown)).map(
        ({ what, rows, elements, frame, times, longTasks, longest }) => [
          what,
          rows.toLocaleString('en'),
          elements.toLocaleString('en'),
          frame.toFixed(0),
          times.toFixed(1),
          String(longTasks),
          longest.toFixed(0),
        ],
      ),
    );
    const paintTable = formatTable(
      ['Page', 'Largest contentful paint, ms:', 'of', 'JavaScript, KB:'],
      painted.map(({ page, lcp, what, kilobytes }) => {
        const { median, low, high } = toSpread(lcp);
        return [page, `${median.toFixed(0)} (${low.toFixed(0)} to ${high.toFixed(0)})`, what, kilobytes.toFixed(0)];
      }),
    );
    const stepTable = formatTable(
      ['Second:', 'Finished step'],
      steps.map(({ at, what }) => [formatSeconds(at), what]),
    );
    writeFileSync(
      join(folder, 'measured.md'),
      `<!-- Written by npm run bench:console -->

# The console, measured

Measured on ${describeConditions(loadBefore)}.

## First load

Chromium with a CPU slowdown of ${cpuSlowdown} and an empty cache, ${loads} loads of each page: medians, with the 95 % confidence interval in
brackets. JavaScript is the gzipped total that a load fetches until the network is idle; a test limits it to 260 KB. The overview's chart
would add to it, but this user has no calls.

${paintTable}

## Scrolling

Scrolls down from the middle of a fully loaded list, 100 pixels per frame for 300 frames, with a CPU slowdown of ${cpuSlowdown}. Compares the
frame times with those of an empty page.

${scrollTable}

## From signing in to a working assistant

A new user who types 15 characters per second and waits for each page and for the document: ${formatSeconds(steps.at(-1)?.at ?? 0)} seconds.

${stepTable}
`,
    );
    console.log(`${paintTable}\n\n${scrollTable}\n\n${stepTable}`);
  } finally {
    await browser.close();
    await host.stop();
    rmSync(dir, { recursive: true });
  }
});
