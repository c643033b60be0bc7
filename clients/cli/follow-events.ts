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

/** Reads all events after one, oldest first, also those that are not settled. Throws ApiError. */
async function readAll(client: Client, after: string | undefined): Promise<Event[]> {
  const query = { limit: 1000, settled: 'false' as const, ...(after !== undefined && { after }) };
  const events: Event[] = [];
  for await (const event of client.list('/events', { query })) events.push(event);
  return events;
}

/** Returns the id of the last settled event. */
async function findStart(client: Client): Promise<string | undefined> {
  const to = new Date(Date.now() - settledMs).toISOString();
  return (await client.GET('/logs/audit', { params: { query: { limit: 1, to } } })).data.data.events[0]?.id;
}

/**
 * Yields each event from now on, once, by polling. Shows events before they are settled, so an earlier one may still come: each poll reads a
 * minute again, and skips what it has seen. Throws ApiError.
 */
export async function* followEvents(client: Client, onReady: () => void): AsyncGenerator<Event> {
  let after = await findStart(client);
  let seen = new Set<string>();
  for (let isFirst = true; ; isFirst = false) {
    const events = await readAll(client, after);
    const fresh = events.filter(({ id }) => !seen.has(id));
    after = events.findLast(({ created_at }) => Date.parse(created_at) < Date.now() - settledMs)?.id ?? after;
    seen = new Set(events.map(({ id }) => id));
    if (isFirst) onReady();
    else yield* fresh;
    await sleep(pollMs);
  }
}
