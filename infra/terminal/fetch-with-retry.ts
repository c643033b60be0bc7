import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `fetch`, and retries while the API answers 429, after the `retry-after` it returns. The body must be reusable.
 */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== 429) return response;
    await response.arrayBuffer();
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
