import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getSettings } from '../../infra/config.ts';
import { getLanesPerOwner } from '../../infra/stacks/lanes.ts';
import { deployed } from '../support/api.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type IngestionHost, startIngestionHost } from '../support/ingestion.ts';
import { getKnowledgeBase } from '../support/knowledge-bases.ts';
import { scaleTimeout } from '../support/timeouts.ts';

/** Readers of the smallest deployment. */
const { maxConcurrency: concurrency } = getSettings('dev').knowledgeBases;
const lanes = getLanesPerOwner(concurrency);

let host: IngestionHost;
beforeAll(async () => {
  // On AWS, an event is delivered again long after the function that sent it has ended. Here, a second later.
  if (!deployed) host = await startIngestionHost({ concurrency, lanes, retrySeconds: 1 });
});
afterAll(() => host?.stop());

describe.skipIf(deployed)('a form that is sent many times', () => {
  it('causes one ingestion, and one queue event per ten uploads', async () => {
    const announced = await host.announce('The archive is in the cellar.');
    for (let i = 0; i < 20; i++) await host.send(announced, 'The archive is in the cellar.');
    await host.deliverAll();
    const { id } = announced.knowledge_base;
    expect(host.taken).toEqual([10, 10]);
    expect(host.ingest.seen.get(id)).toHaveLength(1);
    expect(await getKnowledgeBase(host.user, id)).toMatchObject({ status: 'ready' });
  });
});

describe.skipIf(deployed)('slow documents of one user, however long they take', () => {
  it("delay another user's document by less than 30 s, and no deletion", async () => {
    const deleted = await host.upload('multipart', 'The archive is in the cellar.');
    await host.deliverAll();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    const slow: string[] = [];
    for (let i = 0; i < 12; i++) {
      const id = await host.upload('multipart', `Document ${i}`, async ({ name }): Promise<Fault> => {
        if (name === 'get') await released;
        return 'pass';
      });
      slow.push(id);
    }
    const done = host.deliverAll();
    const started = () => slow.filter((id) => host.ingest.seen.has(id));
    await expect.poll(() => started().length).toBeGreaterThan(0);

    const { user } = await host.newUser();
    const id = await host.post('The archive is in the attic.', user);
    const getStatus = async () => (await getKnowledgeBase(user, id)).status;
    await expect.poll(getStatus, { timeout: scaleTimeout(30_000) }).toBe('ready');

    host.deletion.after(4, 'reset');
    expect((await host.user.delete(`/assistants/knowledge-base/${deleted}`)).status).toBe(503);
    await expect.poll(() => host.isStored(deleted)).toBe(false);

    expect(started()).toHaveLength(lanes);
    release();
    await done;
    for (const one of slow) expect(await getKnowledgeBase(host.user, one)).toMatchObject({ status: 'ready' });
  });
});

describe.skipIf(deployed)('slow deletions of one user, however long they take', () => {
  it("delay no other user's document and no other user's deletion", async () => {
    const upload = (token = host.user) => host.post('The archive is in the cellar.', token);
    /** Deletes a knowledge base, and interrupts the request after it has hidden it. */
    const interrupt = async (id: string, user = host.user) => {
      host.deletion.after(4, 'reset');
      expect((await user.delete(`/assistants/knowledge-base/${id}`)).status).toBe(503);
    };
    const slow = await Promise.all(Array.from({ length: 12 }, () => upload()));
    const other = await host.newUser();
    const deleted = await upload(other.user);
    await host.deliverAll();

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    onTestFinished(() => release());
    host.erasures.waitFor = (key) => (key.includes(host.owner) ? released : Promise.resolve());
    for (const id of slow) await interrupt(id);
    const done = host.deliverAll();
    await expect.poll(() => host.erasures.begun.length, { timeout: scaleTimeout(30_000) }).toBeGreaterThan(0);

    const id = await upload(other.user);
    const getStatus = async () => (await getKnowledgeBase(other.user, id)).status;
    await expect.poll(getStatus, { timeout: scaleTimeout(30_000) }).toBe('ready');
    await interrupt(deleted, other.user);
    await expect.poll(() => host.files(deleted), { timeout: scaleTimeout(30_000) }).toEqual([]);

    expect(host.erasures.begun.filter((key) => slow.some((one) => key.endsWith(one)))).toHaveLength(1);
    release();
    await done;
    for (const one of slow) expect(await host.isStored(one)).toBe(false);
    expect(host.listDeadLetters()).toEqual([]);
  });
});
