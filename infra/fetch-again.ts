import { setTimeout as sleep } from 'node:timers/promises';

/** `fetch`, again where the API has too many requests, after as many seconds as it says. The body must be one that can be sent twice. */
export async function fetchAgain(url: string, init: RequestInit): Promise<Response> {
  for (;;) {
    const response = await fetch(url, init);
    if (response.status !== 429) return response;
    await response.arrayBuffer();
    await sleep(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}
