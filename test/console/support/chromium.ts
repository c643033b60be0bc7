import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPlaces = [
  // Without a user interface, it takes half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Path of the browser on this machine. Without one, the tests of the console are skipped. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? usualPlaces.find((path) => existsSync(path));

if (!chromiumPath) {
  console.warn(
    'The console is not tested: there is no Chromium. Install one (on Debian: apt-get install chromium-headless-shell, or chromium), or name it: CHROMIUM_PATH=/path/to/chrome npm test',
  );
}

/** Starts the browser without its background services, and with more arguments. */
export const launch = (...more: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
