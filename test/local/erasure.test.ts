import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Assistant } from '../../shared/schemas/assistant.ts';
import { deployed } from '../support/api.ts';
import { minimal } from '../support/assistants.ts';
import type { Break } from '../support/breakable.ts';
import { type IngestionHost, ingestionHost } from '../support/ingestion.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await ingestionHost();
});
afterAll(() => host?.stop());

/** The requests of a deletion while two assistants have the knowledge base. */
const requests = ['get', 'announce', 'hide', 'get', ...Array(3).fill('remove'), 'forget', 'forget', 'note', 'delete'];
/** From when on nobody sees it. */
const hidden = requests.indexOf('hide') + 1;

describe.skipIf(deployed)('a deletion that is broken off', () => {
  const cases = requests.flatMap((step, passed) =>
    (['reset', 'lose'] as const).map((way: Break) => ({ step, passed, way, id: '', assistants: [] as string[] })),
  );
  const attachedTo = (assistants: string[]) =>
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
    await host.run();
    for (const { id, passed, way } of cases) {
      host.deletion.after(passed, way);
      const { status } = await host.user.delete(`/assistants/knowledge-base/${id}?force=true`);
      expect(status).toBe(503);
    }
    await host.run();
  });

  it.each(cases)('at "$step" (request $passed, $way) is ended, or has not begun', async (one) => {
    const isBegun = one.passed >= hidden || (one.step === 'hide' && one.way === 'lose');
    expect(await host.isStored(one.id)).toBe(!isBegun);
    const left = isBegun ? [] : [`uploads/${host.owner}/${one.id}`, `passages/${host.owner}/${one.id}`];
    expect((await host.files(one.id)).toSorted()).toEqual(left.toSorted());
    expect(await attachedTo(one.assistants)).toEqual(isBegun ? [0, 0] : [1, 1]);
    expect(host.givenUp()).toEqual([]);
  });
});
