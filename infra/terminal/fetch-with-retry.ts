import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fetch`, and retries while the API answers 429, after the `retry-after` it returns, unless it forbids that. The body must be
 * reusable.
 */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== 429 || response.headers.get('x-should-retry') === 'false') return response;
    await response.arrayBuffer();
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
