import type { Browser, Page } from 'playwright-core';
import { toLocalDeployment } from '../../infra/commands/data/deployment/deployment.ts';
import type { Host } from '../../infra/local/host.ts';
import { signInTo } from '../../test/console/support/sign-in.ts';
import { quantile } from '../corpus.ts';
import { addManyRows } from './many-rows.ts';
import { loadAllRows, type ScrollResult, scrollDown } from './scrolling.ts';

/** Smoothness of scrolling a long list or transcript. */
export interface Smoothness {
  what: string;
  /** Number of rows or turns. */
  rows: number;
  /** Maximum number of elements in the page. */
  elements: number;
  /** 95th percentile of the frame times, in milliseconds. */
  frame: number;
  /** Ratio of `frame` to that of an empty page. */
  times: number;
  /** Number of tasks over 50 ms. */
  longTasks: number;
  /** Duration of the longest task, in milliseconds. */
  longest: number;
}

const transcriptTurns = 9_000;
const steps = 300;
/** Scroll speed of a fast mouse wheel: more than a screen in ten frames. */
const pixelsPerFrame = 100;
const tokenTtlSeconds = 3_600;

/** Creates an assistant, a document and a call with a long transcript. Returns the id of the call. */
async function createFixtures(url: string, token: string): Promise<string> {
  const post = async (path: string, body: object | FormData) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { id } = await post('/assistants', {
    name: 'Reception',
    system_instruction: 'You answer the phone. '.repeat(50),
  });
  const form = new FormData();
  form.set('file', new File(['On Saturdays we open at nine.'], 'hours.txt'));
  await post('/assistants/knowledge-base', form);
  const transcript = Array.from({ length: transcriptTurns }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: `This is turn ${index + 1}. ${'It goes on for a while. '.repeat(index % 9)}`,
    time_in_call_secs: index,
  }));
  const { data } = await post('/logs/call-logs', { assistant_id: id, room_name: 'long', transcript });
  return data.session_id;
}

/** Returns the 95th percentile of the frame times, in milliseconds. */
function getFrameTime({ frames }: ScrollResult): number {
  const sorted = frames.toSorted((one, other) => one - other);
  return quantile(sorted, 0.95);
}

async function scrollEmptyPage(page: Page): Promise<ScrollResult> {
  await page.goto('about:blank');
  await page.evaluate(() => {
    document.body.style.height = '600000px';
  });
  return scrollDown(page, { steps, pixels: pixelsPerFrame });
}

/** Measures the scrolling of fully loaded long lists and a long transcript, with a CPU slowdown. */
export async function measureScrolling(
  browser: Browser,
  host: Host,
  slowdown: number,
  rows = 10_000,
): Promise<Smoothness[]> {
  const sub = 'crowd';
  const token = await host.issuer.token({ sub, ttl: tokenTtlSeconds });
  const call = await createFixtures(host.url, token);
  await addManyRows(toLocalDeployment(host), token, rows);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(60_000);
  const session = await page.context().newCDPSession(page);
  const setSlowdown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });
  await signInTo(page, `${host.url}/console/`, sub);

  const measured: { what: string; rows: number; scrolled: ScrollResult }[] = [];
  for (const what of ['assistants', 'knowledge', 'calls']) {
    await page.goto(`${host.url}/console/${what}`);
    await loadAllRows(page, rows);
    await setSlowdown(slowdown);
    measured.push({ what, rows, scrolled: await scrollDown(page, { steps, pixels: pixelsPerFrame }) });
    await setSlowdown(1);
  }
  await page.goto(`${host.url}/console/calls/${call}`);
  await page.getByRole('button', { name: 'Download JSON' }).and(page.locator(':enabled')).waitFor();
  await setSlowdown(slowdown);
  measured.push({
    what: 'a transcript',
    rows: transcriptTurns,
    scrolled: await scrollDown(page, { steps, pixels: pixelsPerFrame }),
  });
  const empty = getFrameTime(await scrollEmptyPage(page));
  await page.context().close();
  return measured.map(({ what, rows, scrolled }) => {
    const { longTasks, elements } = scrolled;
    const frame = getFrameTime(scrolled);
    const longest = Math.max(0, ...longTasks);
    return { what, rows, elements, frame, times: frame / empty, longTasks: longTasks.length, longest };
  });
}
