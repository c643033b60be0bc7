import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { newAssistant, type StoredAssistant, updated } from '../../shared/domain/assistant.ts';
import { Conflict, NotFound, PreconditionFailed } from '../../shared/errors.ts';
import { meter, resetMeter } from '../../shared/meter.ts';
import { assistantKey } from '../../shared/store/keys.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const assistants = await import('../../shared/store/assistants.ts');

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = inject('tableName');

const settings = {
  voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
  knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
  transport: { sip_config: {} },
};
const content = { name: 'A', system_instruction: 'x', description: null, first_message: null, ...settings };

async function stored(owner: string): Promise<StoredAssistant> {
  const assistant = newAssistant(content);
  await assistants.insert(owner, assistant, []);
  return assistant;
}

/** All that lies in a user's partition. */
async function partition(owner: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': assistantKey(owner, '').pk },
    }),
  );
  return Items;
}

async function all<T>(listing: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of listing) items.push(item);
  return items;
}

describe('the store of assistants', () => {
  it('gives back what was put in, in one round trip each way', async () => {
    const owner = randomUUID();
    resetMeter();
    const assistant = await stored(owner);
    expect(meter).toMatchObject({ roundTrips: 1, readUnits: 0, writeUnits: 1 });
    resetMeter();
    expect(await assistants.get(owner, assistant.id)).toEqual(assistant);
    expect(meter).toMatchObject({ roundTrips: 1, readUnits: 1, writeUnits: 0 });
  });

  it('keeps any JSON in settings exactly', async () => {
    const owner = randomUUID();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        const json = JSON.parse(JSON.stringify(value));
        const assistant = newAssistant({ ...content, llm: { ...content.llm, vendor: json } });
        await assistants.insert(owner, assistant, []);
        expect(await assistants.get(owner, assistant.id)).toEqual(assistant);
      }),
      { numRuns: 50 },
    );
  });

  it("does not reach another owner's", async () => {
    const assistant = await stored('one');
    await expect(assistants.get('other', assistant.id)).rejects.toThrow(NotFound);
    await expect(assistants.remove('other', assistant.id, {})).rejects.toThrow(NotFound);
    await expect(assistants.update('other', assistant.id, (current) => current)).rejects.toThrow(NotFound);
    expect(await assistants.get('one', assistant.id)).toEqual(assistant);
  });

  it('lists newest first, and goes on below an id', async () => {
    const owner = randomUUID();
    const made = [await stored(owner), await stored(owner), await stored(owner)].reverse();
    expect(await all(assistants.list(owner))).toEqual(made);
    expect(await all(assistants.list(owner, undefined, 1))).toEqual(made);
    expect(await all(assistants.list(owner, made[0]?.id))).toEqual(made.slice(1));
  });

  it('reads a listing only as far as its reader goes', async () => {
    const owner = randomUUID();
    for (let i = 0; i < 3; i++) await stored(owner);
    resetMeter();
    for await (const _ of assistants.list(owner, undefined, 1)) break;
    expect(meter.roundTrips).toBe(1);
  });
});

describe('an update', () => {
  it('leaves what it does not know, as attachments', async () => {
    const owner = randomUUID();
    const { id } = await stored(owner);
    await client.send(
      new UpdateCommand({
        TableName,
        Key: assistantKey(owner, id),
        UpdateExpression: 'SET attachments = :a',
        ExpressionAttributeValues: { ':a': { kb: { attached_at: 'now' } } },
      }),
    );
    await assistants.update(owner, id, (current) => updated(current, { name: 'B' }));
    const [item] = await partition(owner);
    expect(item).toMatchObject({ name: 'B', revision: 2, attachments: { kb: { attached_at: 'now' } } });
  });

  it('that lost a race starts again from what it met, without another read', async () => {
    const owner = randomUUID();
    const { id } = await stored(owner);
    resetMeter();
    await Promise.all([
      assistants.update(owner, id, (current) => updated(current, { name: 'mine' })),
      assistants.update(owner, id, (current) => updated(current, { description: 'yours' })),
    ]);
    expect(meter.roundTrips).toBeLessThanOrEqual(5); // two reads, two writes, one of them again
    expect(await assistants.get(owner, id)).toMatchObject({ name: 'mine', description: 'yours', revision: 3 });
  });

  it('gives up as a conflict after five lost races', async () => {
    const owner = randomUUID();
    const { id } = await stored(owner);
    // Each time we have read, somebody else is faster: the revision in the table is never the one we know.
    const behind = (current: StoredAssistant) =>
      updated({ ...current, revision: current.revision + 7 }, { name: `${current.revision}` });
    const losing = assistants.update(owner, id, behind);
    await expect(losing).rejects.toThrow(Conflict);
    expect((await assistants.get(owner, id)).revision).toBe(1);
  });

  it('of what is deleted meanwhile is not found', async () => {
    const owner = randomUUID();
    const { id } = await stored(owner);
    const racing = assistants.update(owner, id, (current) => updated({ ...current, id: randomUUID() }, { name: 'B' }));
    await expect(racing).rejects.toThrow(NotFound);
  });
});

describe('a delete', () => {
  it('leaves a marker that goes after a day, and only one that happens', async () => {
    const owner = randomUUID();
    const { id } = await stored(owner);
    await expect(assistants.remove(owner, id, { revisions: [2, 3] })).rejects.toThrow(PreconditionFailed);
    expect(await partition(owner)).toHaveLength(1);
    await assistants.remove(owner, id, { revisions: [2, 1] });
    const day = 86_400;
    const [marker, ...others] = await partition(owner);
    expect(others).toEqual([]);
    expect(marker?.sk).toBe(`DELETED#${id}`);
    expect(Math.abs(Number(marker?.expires_at) - Date.now() / 1000 - day)).toBeLessThan(60);
    await expect(assistants.remove(owner, id, {})).rejects.toThrow(NotFound);
  });
});
