import fc from 'fast-check';
import type { Client } from '../client.ts';
import { expectShown, type Shown, standard } from './assistant.ts';
import { type Assistant, always, command, newestFirst, nth, same } from './model.ts';

const pick = fc.nat(20);

/** The listing by pages of so many, with something done after each. */
async function paged(client: Client, limit: number, then: () => Promise<unknown>): Promise<Shown[]> {
  const found: Shown[] = [];
  for await (const page of client.pages<Shown[]>('assistants/list', { query: { limit: String(limit) } })) {
    if (page.length > limit) throw new Error(`${page.length} where at most ${limit} are asked for`);
    found.push(...page);
    await then();
  }
  return found;
}

const list = command(
  'list all',
  fc.integer({ min: 1, max: 4 }),
  always,
  async ({ assistants, documents }, client, limit) => {
    const found = await paged(client, limit, async () => {});
    same(
      'the listing',
      found.map(({ id }) => id),
      newestFirst(assistants.keys()),
    );
    for (const shown of found) expectShown(shown, assistants.get(shown.id) as Assistant, documents);
  },
);

const listMeanwhile = command(
  'list all while others come and go',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), pick }),
  ({ assistants }) => assistants.size > 0,
  async ({ assistants, gone }, client, { limit, pick }) => {
    const before = new Set(assistants.keys());
    const found = await paged(client, limit, async () => {
      if (assistants.size === 0) return;
      const { json } = await client.call<Shown>('assistants/create', {
        body: { name: 'New', system_instruction: 'Answer.' },
      });
      assistants.set(json.id, {
        id: json.id,
        name: 'New',
        description: null,
        voice: { ...standard },
        attached: new Set(),
        old: [],
      });
      const { id } = nth(assistants, pick);
      await client.call('assistants/delete', { params: { assistant_id: id } });
      assistants.delete(id);
      gone.add(id);
    });
    const ids = found.map(({ id }) => id).filter((id) => before.has(id));
    same('the order', ids, newestFirst(new Set(ids)));
    const missing = [...before].filter((id) => assistants.has(id) && !ids.includes(id));
    same('what was there all the time and is not listed', missing, []);
  },
);

const missing = command(
  'read what is gone',
  pick,
  ({ gone }) => gone.size > 0,
  async ({ gone }, client, pick) => {
    await client.call('assistants/get', { params: { assistant_id: nth(gone, pick) } }, 404);
  },
);

export const listingCommands = [list, listMeanwhile, missing];
