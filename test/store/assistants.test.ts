import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { applyUpdate, buildAssistant, type StoredAssistant } from '../../shared/domain/assistant.ts';
import { Conflict, NotFound, PreconditionFailed } from '../../shared/errors.ts';
import { defaultCallSettings } from '../../shared/schemas/assistant.ts';
import { toAssistantKey } from '../../shared/store/table/keys.ts';
import { meter, resetMeter } from '../../shared/telemetry/meter.ts';
import { useEmulator } from '../support/store.ts';

useEmulator();
const assistants = await import('../../shared/store/assistants.ts');

const noWrites = () => [];
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = inject('tableName');

const settings = {
  voice: { voice_id: null, tts_provider: 'cartesia', tts_model: 'default', language: 'en' },
  llm: { llm_provider: 'openai', model: 'gpt-4.1-mini' },
  transcriber: { stt_provider: 'deepgram', stt_model: 'nova-3', language: 'en' },
  knowledge_base: { vectorstore_index: null, vectorstore_namespace: null },
  transport: { sip_config: {} },
  ...defaultCallSettings,
};
const content = { name: 'A', system_instruction: 'x', description: null, first_message: null, ...settings };

async function insertAssistant(owner: string): Promise<StoredAssistant> {
  const assistant = buildAssistant(content);
  await assistants.insert(owner, assistant, []);
  return assistant;
}

/** Returns all rows in a user's partition. */
async function readPartition(owner: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': toAssistantKey(owner, '').pk },
    }),
  );
  return Items;
}

/** Lists the assistants of a user. */
async function list(...args: Parameters<typeof assistants.list>): Promise<StoredAssistant[]> {
  const items: StoredAssistant[] = [];
  for await (const row of assistants.list(...args)) items.push(assistants.fromRow(row));
  return items;
}

describe('the store of assistants', () => {
  it('reads and writes an assistant in one round trip each', async () => {
    const owner = randomUUID();
    resetMeter();
    const assistant = await insertAssistant(owner);
    expect(meter).toMatchObject({ roundTrips: 1, readUnits: 0, writeUnits: 1 });
    resetMeter();
    expect(await assistants.get(owner, assistant.id)).toEqual(assistant);
    expect(meter).toMatchObject({ roundTrips: 1, readUnits: 1, writeUnits: 0 });
  });

  it('stores any JSON in settings unchanged', async () => {
    const owner = randomUUID();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (value) => {
        const json = JSON.parse(JSON.stringify(value));
        const assistant = buildAssistant({ ...content, llm: { ...content.llm, vendor: json } });
        await assistants.insert(owner, assistant, []);
        expect(await assistants.get(owner, assistant.id)).toEqual(assistant);
      }),
      { numRuns: 50 },
    );
  });

  it('reads rows from before tools with their defaults, beside rows that have some', async () => {
    const owner = randomUUID();
    const { tools: _tools, mcp_servers: _servers, variables: _variables, timezone: _zone, ...before } = settings;
    const [old, recent] = [await insertAssistant(owner), buildAssistant({ ...content, timezone: 'Europe/Berlin' })];
    await assistants.insert(owner, recent, []);
    await client.send(
      new UpdateCommand({
        TableName,
        Key: toAssistantKey(owner, old.id),
        UpdateExpression: 'SET settings = :settings',
        ExpressionAttributeValues: { ':settings': JSON.stringify(before) },
      }),
    );
    expect(await assistants.get(owner, old.id)).toEqual({ ...old, ...defaultCallSettings });
    expect(await list(owner)).toEqual([recent, old]);
  });

  it("never reads or changes another owner's assistants", async () => {
    const assistant = await insertAssistant('one');
    await expect(assistants.get('other', assistant.id)).rejects.toThrow(NotFound);
    await expect(assistants.remove('other', assistant.id, {}, [])).rejects.toThrow(NotFound);
    await expect(assistants.update('other', assistant.id, (current) => current, noWrites)).rejects.toThrow(NotFound);
    expect(await assistants.get('one', assistant.id)).toEqual(assistant);
  });

  it('lists newest first, optionally after an id', async () => {
    const owner = randomUUID();
    const created = [
      await insertAssistant(owner),
      await insertAssistant(owner),
      await insertAssistant(owner),
    ].reverse();
    expect(await list(owner)).toEqual(created);
    expect(await list(owner, undefined, 1)).toEqual(created);
    expect(await list(owner, created[0]?.id)).toEqual(created.slice(1));
  });

  it('lists settings as text, since a hundred of them take much memory', async () => {
    const owner = randomUUID();
    await insertAssistant(owner);
    for await (const row of assistants.list(owner))
      expect(row).toMatchObject({ name: 'A', settings: JSON.stringify(settings) });
    expect.assertions(1);
  });

  it('queries pages of a list only as they are read', async () => {
    const owner = randomUUID();
    for (let i = 0; i < 3; i++) await insertAssistant(owner);
    resetMeter();
    for await (const _ of assistants.list(owner, undefined, 1)) break;
    expect(meter.roundTrips).toBe(1);
  });
});

describe('an update', () => {
  it('preserves other attributes of the row, such as attachments', async () => {
    const owner = randomUUID();
    const { id } = await insertAssistant(owner);
    await client.send(
      new UpdateCommand({
        TableName,
        Key: toAssistantKey(owner, id),
        UpdateExpression: 'SET attachments = :a',
        ExpressionAttributeValues: { ':a': { kb: { attached_at: 'now' } } },
      }),
    );
    await assistants.update(owner, id, (current) => applyUpdate(current, { name: 'B' }), noWrites);
    const [item] = await readPartition(owner);
    expect(item).toMatchObject({ name: 'B', revision: 2, attachments: { kb: { attached_at: 'now' } } });
  });

  it('retries a lost race from the row in the failed write, without another read', async () => {
    const owner = randomUUID();
    const { id } = await insertAssistant(owner);
    resetMeter();
    await Promise.all([
      assistants.update(owner, id, (current) => applyUpdate(current, { name: 'mine' }), noWrites),
      assistants.update(owner, id, (current) => applyUpdate(current, { description: 'yours' }), noWrites),
    ]);
    expect(meter.roundTrips).toBeLessThanOrEqual(5); // two reads, two writes, one retry
    expect(await assistants.get(owner, id)).toMatchObject({ name: 'mine', description: 'yours', revision: 3 });
  });

  it('throws a conflict after five lost races', async () => {
    const owner = randomUUID();
    const { id } = await insertAssistant(owner);
    // Claims a wrong revision, as if another update came between each read and write.
    const updateStale = (current: StoredAssistant) =>
      applyUpdate({ ...current, revision: current.revision + 7 }, { name: `${current.revision}` });
    const update = assistants.update(owner, id, updateStale, noWrites);
    await expect(update).rejects.toThrow(Conflict);
    expect((await assistants.get(owner, id)).revision).toBe(1);
  });

  it('throws NotFound if the assistant is deleted between read and write', async () => {
    const owner = randomUUID();
    const { id } = await insertAssistant(owner);
    const updateOther = (current: StoredAssistant) => applyUpdate({ ...current, id: randomUUID() }, { name: 'B' });
    const update = assistants.update(owner, id, updateOther, noWrites);
    await expect(update).rejects.toThrow(NotFound);
  });
});

describe('a delete', () => {
  it('leaves a marker for a day, and only if the delete succeeds', async () => {
    const owner = randomUUID();
    const { id } = await insertAssistant(owner);
    await expect(assistants.remove(owner, id, { revisions: [2, 3] }, [])).rejects.toThrow(PreconditionFailed);
    expect(await readPartition(owner)).toHaveLength(1);
    await assistants.remove(owner, id, { revisions: [2, 1] }, []);
    const day = 86_400;
    const [marker, ...others] = await readPartition(owner);
    expect(others).toEqual([]);
    expect(marker?.sk).toBe(`DELETED#${id}`);
    expect(Math.abs(Number(marker?.expires_at) - Date.now() / 1000 - day)).toBeLessThan(60);
    await expect(assistants.remove(owner, id, {}, [])).rejects.toThrow(NotFound);
  });
});
