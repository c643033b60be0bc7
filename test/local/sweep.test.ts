import { DeleteItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDue } from '../../shared/domain/due.ts';
import { buildJob } from '../../shared/domain/job.ts';
import type { JournalEvent } from '../../shared/schemas/event.ts';
import { toEventKey, toJobKey, toVersionsDeletionKey, toVersionsPrefix } from '../../shared/store/table/keys.ts';
import { deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import { type IngestionHost, startIngestionHost } from '../support/ingestion.ts';
import { getKnowledgeBase } from '../support/knowledge-bases.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await startIngestionHost();
});
afterAll(() => host?.stop());

const listFailures = async () => {
  const { body } = await host.user.get<{ data: { events: JournalEvent[] } }>(
    '/events?settled=false&type=knowledge_base.failed',
  );
  return body.data.events;
};

describe.skipIf(deployed)('the sweep', () => {
  it('deletes the versions of a deleted assistant, and no other', async () => {
    const publish = async (name: string, count: number) => {
      const { id } = (await host.user.post<{ id: string }>('/assistants', { ...minimal, name })).body;
      for (let i = 0; i < count; i++) {
        await host.user.put(`/assistants/${id}`, { description: `${i}` });
        await host.user.post(`/assistants/${id}/versions`, {});
      }
      return id;
    };
    const [deleted, kept] = [await publish('Deleted', 3), await publish('Kept', 1)];
    await host.user.delete(`/assistants/${deleted}`);
    const { dynamoDb, table: TableName } = host.place;
    const listVersions = async () => {
      const ExpressionAttributeValues = { ':pk': { S: toVersionsPrefix(host.owner).pk } };
      const KeyConditionExpression = 'pk = :pk';
      const query = new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues });
      return (await dynamoDb.send(query)).Items?.map(({ sk }) => sk?.S);
    };
    expect(await listVersions()).toHaveLength(5);
    expect(await host.sweep()).toEqual({ 'versions deleted': 1 });
    expect(await listVersions()).toEqual([expect.stringContaining(kept)]);
    expect(await host.sweep()).toEqual({});
  });

  it('does nothing for a row elsewhere that is named like a marker of a deletion', async () => {
    const { id } = (await host.user.post<{ id: string }>('/assistants', minimal)).body;
    await host.user.post(`/assistants/${id}/versions`, {});
    const { dynamoDb, table: TableName } = host.place;
    const Key = marshall({ pk: toEventKey(host.owner, '').pk, sk: toVersionsDeletionKey(host.owner, id).sk });
    const due = { S: formatDue(host.owner, new Date(0).toISOString()) };
    await dynamoDb.send(new PutItemCommand({ TableName, Item: { ...Key, 'by-due': { S: '0' }, due } }));
    const outcomes = await host.sweep();
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key }));
    expect(outcomes).toEqual({ misplaced: 1 });
    expect((await host.user.get(`/assistants/${id}/versions/1`)).status).toBe(200);
  });

  it('gives a job another turn that had none for half an hour, once', async () => {
    const { dynamoDb, table: TableName } = host.place;
    const job = buildJob(1, host.user.sub, { kind: 'user', id: host.user.sub });
    const due = formatDue(host.owner, new Date(Date.now() - 1_000).toISOString());
    const Item = marshall({ ...toJobKey(host.owner, job.id), ...job, 'by-due': '0', due });
    await dynamoDb.send(new PutItemCommand({ TableName, Item }));
    expect(await host.sweep()).toEqual({ 'job continued': 1 });
    expect(await host.sweep()).toEqual({});
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key: marshall(toJobKey(host.owner, job.id)) }));
  });

  it('fails the documents whose time is over, and tells each once', async () => {
    const missing = (await host.announce('never sent')).knowledge_base.id;
    const unread = await host.post('never read');
    const early = (await host.announce('sent later')).knowledge_base.id;
    expect(new Set(await host.listWaiting())).toEqual(new Set([missing, unread, early]));
    await host.expire(missing);
    await host.expire(unread);

    expect(await host.sweep()).toEqual({ upload_missing: 1, timed_out: 1 });
    expect(await host.sweep()).toEqual({});
    expect(await host.listWaiting()).toEqual([early]);
    const told = await listFailures();
    expect(told).toHaveLength(2);
    for (const [id, reason] of [
      [missing, 'upload_missing'],
      [unread, 'timed_out'],
    ] as const) {
      expect(await getKnowledgeBase(host.user, id)).toMatchObject({
        status: 'failed',
        status_reason: { type: reason },
      });
      expect(told.find(({ subject }) => subject.id === id)).toMatchObject({
        data: { file_name: 'notes.txt', status_reason: reason },
        actor: { kind: 'service', id: 'sweep' },
        user_id: host.user.sub,
      });
    }
    expect(await getKnowledgeBase(host.user, early)).toMatchObject({ status: 'processing' });
  });

  it('leaves a document to a late result, which replaces the failure', async () => {
    const id = await host.post('We open at eight.');
    await host.expire(id);
    expect(await host.sweep()).toEqual({ timed_out: 1 });
    await host.deliverAll();
    expect(await getKnowledgeBase(host.user, id)).toMatchObject({ status: 'ready', status_reason: null });
    expect(await host.sweep()).toEqual({});
  });

  it('takes documents out of the index that an earlier release has finished', async () => {
    const id = await host.upload('multipart', 'We open at seven.');
    await host.deliverAll();
    await host.expire(id);
    expect(await host.listWaiting()).toContain(id);
    expect(await host.sweep()).toEqual({ settled: 1 });
    expect(await host.listWaiting()).not.toContain(id);
    expect(await getKnowledgeBase(host.user, id)).toMatchObject({ status: 'ready' });
  });

  it('leaves documents alone that were read or deleted', async () => {
    const before = (await listFailures()).length;
    const read = await host.upload('multipart', 'We open at nine.');
    await host.deliverAll();
    const deleted = await host.upload('multipart', 'We open at ten.');
    await host.erase(deleted);
    const waiting = await host.listWaiting();
    expect(waiting).not.toContain(read);
    expect(waiting).not.toContain(deleted);
    expect(await host.sweep()).toEqual({});
    expect(await getKnowledgeBase(host.user, read)).toMatchObject({ status: 'ready' });
    expect(await listFailures()).toHaveLength(before);
    await host.deliverAll();
  });
});
