import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import type { Break } from '../support/breakable-function.ts';
import { type IngestionHost, startIngestionHost } from '../support/ingestion.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await startIngestionHost();
});
afterAll(() => host?.stop());

/** Requests to AWS that delete a knowledge base with two assistants, in order. */
const requests = [
  ...['get', 'announce', 'hide', 'get', 'remove', 'remove', 'forget', 'forget', 'note', 'delete', 'remove'],
];
/** Number of requests after which the knowledge base is hidden. */
const hidden = requests.indexOf('hide') + 1;

describe.skipIf(deployed)('an interrupted deletion', () => {
  const cases = requests.flatMap((step, passed) =>
    (['reset', 'lose'] as const).map((way: Break) => ({ step, passed, way, id: '', assistants: [] as string[] })),
  );
  const countAttachments = (assistants: string[]) =>
    Promise.all(
      assistants.map(
        async (id) => (await host.user.get<Assistant>(`/assistants/${id}`)).body.attached_knowledge_bases.length,
      ),
    );

  beforeAll(async () => {
    for (const one of cases) {
      one.id = await host.upload('multipart', 'The archive is in the cellar.');
      const knowledge_base = { vectorstore_index: 'builtin', vectorstore_namespace: one.id };
      for (let i = 0; i < 2; i++) {
        const { body } = await host.user.post<{ id: string }>('/assistants', { ...minimal, knowledge_base });
        one.assistants.push(body.id);
      }
    }
    await host.deliverAll();
    for (const { id, passed, way } of cases) {
      host.deletion.after(passed, way);
      const { status } = await host.user.delete(`/assistants/knowledge-base/${id}?force=true`);
      expect(status).toBe(503);
    }
    await host.deliverAll();
  });

  it.each(cases)('at "$step" (request $passed, $way) is completed later, or has no effect', async (one) => {
    const isBegun = one.passed >= hidden || (one.step === 'hide' && one.way === 'lose');
    expect(await host.isStored(one.id)).toBe(!isBegun);
    const left = isBegun ? [] : [`uploads/${host.owner}/${one.id}`, `passages/${host.owner}/${one.id}`];
    expect((await host.files(one.id)).toSorted()).toEqual(left.toSorted());
    expect(await countAttachments(one.assistants)).toEqual(isBegun ? [0, 0] : [1, 1]);
    expect(host.listDeadLetters()).toEqual([]);
  });

  it('is completed, also within five minutes after another one that had no effect', async () => {
    const id = await host.upload('multipart', 'The archive is in the cellar.');
    await host.put(`erasures/${host.owner}/${id}`); // left by a request that lost a race
    await host.deliverAll();
    expect(await host.isStored(id)).toBe(true);
    expect(await host.files(`erasures/${host.owner}/${id}`)).toEqual([]);
    host.deletion.after(hidden, 'reset');
    expect((await host.user.delete(`/assistants/knowledge-base/${id}`)).status).toBe(503);
    await host.deliverAll();
    expect(await host.isStored(id)).toBe(false);
  });
});
