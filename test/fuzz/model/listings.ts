import fc from 'fast-check';
import type { Client } from '../client.ts';
import { buildAssistant, expectAssistant, type PublicAssistant } from './assistant.ts';
import { type Assistant, defineCommand, expectSame, isAlwaysPossible, pickNth, sortNewestFirst } from './model.ts';

const pick = fc.nat(20);

/** Lists all assistants in pages of `limit`. Calls `afterPage` after each page. */
async function listAssistants(
  client: Client,
  limit: number,
  afterPage: () => Promise<unknown>,
): Promise<PublicAssistant[]> {
  const found: PublicAssistant[] = [];
  for await (const page of client.listPages<PublicAssistant[]>('assistants/list', {
    query: { limit: String(limit) },
  })) {
    if (page.length > limit) throw new Error(`the page has ${page.length} assistants, but the limit is ${limit}`);
    found.push(...page);
    await afterPage();
  }
  return found;
}

const list = defineCommand(
  'list the assistants',
  fc.integer({ min: 1, max: 4 }),
  isAlwaysPossible,
  async ({ assistants, documents }, client, limit) => {
    const found = await listAssistants(client, limit, async () => {});
    expectSame(
      'the list',
      found.map(({ id }) => id),
      sortNewestFirst(assistants.keys()),
    );
    for (const shown of found) expectAssistant(shown, assistants.get(shown.id) as Assistant, documents);
  },
);

const listDuringChanges = defineCommand(
  'list the assistants during changes',
  fc.record({ limit: fc.integer({ min: 1, max: 3 }), pick }),
  ({ assistants }) => assistants.size > 0,
  async ({ assistants, deleted }, client, { limit, pick }) => {
    const before = new Set(assistants.keys());
    const found = await listAssistants(client, limit, async () => {
      if (assistants.size === 0) return;
      const { json } = await client.call<PublicAssistant>('assistants/create', {
        body: { name: 'New', system_instruction: 'Answer.' },
      });
      assistants.set(json.id, buildAssistant(json.id, 'New'));
      const { id } = pickNth(assistants, pick);
      await client.call('assistants/delete', { params: { assistant_id: id } });
      assistants.delete(id);
      deleted.add(id);
    });
    const ids = found.map(({ id }) => id).filter((id) => before.has(id));
    expectSame('the order', ids, sortNewestFirst(new Set(ids)));
    const missing = [...before].filter((id) => assistants.has(id) && !ids.includes(id));
    expectSame('the missing assistants', missing, []);
  },
);

const getDeleted = defineCommand(
  'read a deleted assistant',
  pick,
  ({ deleted }) => deleted.size > 0,
  async ({ deleted }, client, pick) => {
    await client.call('assistants/get', { params: { assistant_id: pickNth(deleted, pick) } }, 404);
  },
);

export const listingCommands = [list, listDuringChanges, getDeleted];
