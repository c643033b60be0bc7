import type { Browser, Page } from 'playwright-core';
import { placeOf } from '../../infra/data/place.ts';
import type { Host } from '../../infra/local/host.ts';
import { signInAt } from '../../test/console/support/sign-in.ts';
import { quantile } from '../corpus.ts';
import { crowd } from './crowd.ts';
import { readAll, type Scrolled, scrollOn } from './scrolling.ts';

/** How a long list or a long text moved. */
export interface Smoothness {
  what: string;
  /** How many rows or turns it has. */
  rows: number;
  /** The most elements that were in the page at a time. */
  elements: number;
  /** The milliseconds within which 95 % of the frames came, and how many times those of an empty page that is. */
  frame: number;
  times: number;
  /** Tasks of more than 50 ms, and the longest. */
  longTasks: number;
  longest: number;
}

const turns = 9_000;
const steps = 300;
/** As a wheel that is turned fast: more than a screen in ten frames. */
const pixels = 100;
const ttl = 3_600;

/** Has the service make one of everything for somebody, with a call of so many turns. Gives its id. */
async function furnish(url: string, token: string): Promise<string> {
  const ask = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { id } = await ask('/assistants', {
    name: 'Reception',
    system_instruction: 'You answer the phone. '.repeat(50),
  });
  const form = new FormData();
  form.set('file', new File(['On Saturdays we open at nine.'], 'hours.txt'));
  await ask('/assistants/knowledge-base', form);
  const transcript = Array.from({ length: turns }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: `This is turn ${index + 1}. ${'It goes on for a while. '.repeat(index % 9)}`,
    time_in_call_secs: index,
  }));
  const { data } = await ask('/logs/call-logs', { assistant_id: id, room_name: 'long', transcript });
  return data.session_id;
}

/** The milliseconds within which 95 % of the frames came. */
function frameOf({ frames }: Scrolled): number {
  const sorted = frames.toSorted((one, other) => one - other);
  return quantile(sorted, 0.95);
}

async function emptyPage(page: Page): Promise<Scrolled> {
  await page.goto('about:blank');
  await page.evaluate(() => {
    document.body.style.height = '600000px';
  });
  return scrollOn(page, { steps, pixels });
}

/** Scrolls long lists and a long transcript, once all of it was read, on a processor that is slowed down. */
export async function scrolls(browser: Browser, host: Host, slowdown: number, rows = 10_000): Promise<Smoothness[]> {
  const sub = 'crowd';
  const token = await host.issuer.token({ sub, ttl });
  const call = await furnish(host.url, token);
  await crowd(placeOf(host), token, rows);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  const session = await page.context().newCDPSession(page);
  const slow = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });
  await signInAt(page, `${host.url}/console/`, sub);

  const measured: { what: string; rows: number; scrolled: Scrolled }[] = [];
  for (const what of ['assistants', 'knowledge', 'calls']) {
    await page.goto(`${host.url}/console/${what}`);
    await readAll(page, rows);
    await slow(slowdown);
    measured.push({ what, rows, scrolled: await scrollOn(page, { steps, pixels }) });
    await slow(1);
  }
  await page.goto(`${host.url}/console/calls/${call}`);
  await page.getByRole('button', { name: 'Download JSON' }).and(page.locator(':enabled')).waitFor();
  await slow(slowdown);
  measured.push({ what: 'a transcript', rows: turns, scrolled: await scrollOn(page, { steps, pixels }) });
  const empty = frameOf(await emptyPage(page));
  await page.context().close();
  return measured.map(({ what, rows, scrolled }) => {
    const { longTasks, elements } = scrolled;
    const frame = frameOf(scrolled);
    const longest = Math.max(0, ...longTasks);
    return { what, rows, elements, frame, times: frame / empty, longTasks: longTasks.length, longest };
  });
}
