import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployed } from '../support/api.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type IngestionHost, ingestionHost } from '../support/ingestion.ts';
import { record } from '../support/knowledge-bases.ts';
import { eventually } from '../support/patience.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await ingestionHost({ lanes: 3 });
});
afterAll(() => host?.stop());

describe.skipIf(deployed)('a form that is sent many times', () => {
  it('has its document read once, so that it fills no queue', async () => {
    const announced = await host.announce('The archive is in the cellar.');
    for (let i = 0; i < 10; i++) await host.send(announced, 'The archive is in the cellar.');
    await host.run();
    const { id } = announced.knowledge_base;
    expect(host.ingest.seen.get(id)).toHaveLength(1);
    expect(await record(host.user, id)).toMatchObject({ status: 'ready' });
  });
});

describe.skipIf(deployed)('documents of one user that take very long', () => {
  it('hold up neither a document of another user nor a deletion', async () => {
    const deleted = await host.upload('multipart', 'The archive is in the cellar.');
    await host.run();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const slow: string[] = [];
    for (let i = 0; i < 12; i++) {
      const id = await host.upload('multipart', `Document ${i}`, async ({ name }): Promise<Fault> => {
        if (name === 'get') await released;
        return 'pass';
      });
      slow.push(id);
    }
    const done = host.run();
    const started = () => slow.filter((id) => host.ingest.seen.has(id));
    await expect.poll(() => started().length).toBeGreaterThan(0);

    const { user } = await host.newUser();
    const id = await host.post('The archive is in the attic.', user);
    await eventually(async () => expect(await record(user, id)).toMatchObject({ status: 'ready' }));

    host.deletion.after(4, 'reset');
    expect((await host.user.delete(`/assistants/knowledge-base/${deleted}`)).status).toBe(503);
    await expect.poll(() => host.isStored(deleted)).toBe(false);

    expect(started().length).toBeLessThanOrEqual(3);
    release();
    await done;
    for (const one of slow) expect(await record(host.user, one)).toMatchObject({ status: 'ready' });
  });
});
