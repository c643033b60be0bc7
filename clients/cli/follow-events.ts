import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../typescript/src/client.ts';
import type { components } from '../typescript/src/schema.d.ts';

type Event = components['schemas']['Event'];

/** Time between two polls, in milliseconds. */
const pollMs = 2_000;

/**
 * Age of a settled event, in milliseconds: no earlier one can still appear. The API says 15 seconds; the rest is for clocks that differ.
 */
const settledMs = 60_000;

const pageSize = 1000;

/** Reads the events after one, oldest first, also those that are not settled. Throws ApiError. */
async function readPage(client: Client, after: string | undefined): Promise<Event[]> {
  const query = { limit: pageSize, settled: 'false' as const, ...(after !== undefined && { after }) };
  return (await client.GET('/events', { params: { query } })).data.data.events;
}

/** Returns the id of the last settled event. */
async function findStart(client: Client): Promise<string | undefined> {
  const to = new Date(Date.now() - settledMs).toISOString();
  return (await client.GET('/logs/audit', { params: { query: { limit: 1, to } } })).data.data.events[0]?.id;
}

/**
 * Yields each event from now on, once, by polling. Shows events before they are settled, so an earlier one may still come: each poll reads a minute again,
 * and skips what it has seen. Throws ApiError.
 */
export async function* followEvents(client: Client, onReady: () => void): AsyncGenerator<Event> {
  let after = await findStart(client);
  let seen = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const page = await readPage(client, after);
    const fresh = page.filter(({ id }) => !seen.has(id));
    const settled = page.filter(({ created_at }) => Date.parse(created_at) < Date.now() - settledMs).at(-1)?.id;
    after = settled ?? after;
    seen = new Set(page.map(({ id }) => id));
    if (isFirst) onReady();
    else yield* fresh;
    if (page.length < pageSize) await sleep(pollMs);
  }
}
