import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseUserData, listUserData } from '../../infra/commands/data/eraser.ts';
import { importUser } from '../../infra/commands/data/import/importer.ts';
import { deployed } from '../support/api.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type IngestionHost, startIngestionHost } from '../support/ingestion.ts';
import { getKnowledgeBase } from '../support/knowledge-bases.ts';
import { exportWholeUser, ignoreProgress } from '../support/recovery.ts';
import { drawSample } from '../support/sample.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await startIngestionHost();
});
afterAll(() => host?.stop());

const content = 'The archive is in the cellar.';
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const sha256 = digest(content);
const ready = { status: 'ready', reason: null, sha256, passages: 1, found: [content] };

const methods = ['multipart', 'presigned'] as const;
const steps = ['find', 'get', 'note', 'put', 'finish'] as const;
const listSteps = (way: (typeof methods)[number]) => steps.filter((step) => way === 'presigned' || step !== 'note');
const getRecord = (id: string) => host.user.get(`/assistants/knowledge-base/${id}`);
const countDeadLetters = (id: string) => host.listDeadLetters().filter((body) => body.includes(id)).length;

describe.skipIf(deployed)('a service that fails during ingestion', () => {
  const all = steps.flatMap((step) =>
    (['throttle', 'fail', 'reset', 'lose'] as const).flatMap((fault) =>
      (['once', 'always'] as const).map((often) => ({ step, fault, often, id: '' })),
    ),
  );
  const cases = drawSample(all, 16);

  // Runs the cases with one fault first, because permanent faults use up the SDK's retry quota of a process.
  beforeAll(async () => {
    for (const often of ['once', 'always']) {
      for (const one of cases.filter((each) => each.often === often)) {
        let times = 0;
        one.id = await host.upload('presigned', content, ({ name }) => {
          if (name === one.step) times += 1;
          return name === one.step && (often === 'always' || times === 1) ? one.fault : 'pass';
        });
      }
      await host.deliverAll();
    }
  });

  it.each(cases.filter(({ often }) => often === 'once'))(
    'once ($fault at "$step") has no visible effect',
    async ({ id }) => {
      expect(host.ingest.seen.get(id)).toHaveLength(1);
      expect(await host.getOutcome(id)).toEqual(ready);
      expect(await host.erase(id)).toEqual([]);
    },
  );

  it.each(cases.filter(({ often }) => often === 'always'))(
    'always ($fault at "$step") leaves a knowledge base that is ready or failed',
    async ({ step, fault, id }) => {
      const isDone = fault === 'lose' && (step === 'note' || step === 'finish');
      expect(countDeadLetters(id)).toBe(step === 'find' || (step === 'finish' && !isDone) ? 1 : 0);
      if (isDone) {
        expect(await host.getOutcome(id)).toEqual(ready);
      } else if (step === 'find' || step === 'finish') {
        expect(await host.getOutcome(id)).toMatchObject({ status: 'processing' });
        await host.expire(id);
        const reason = step === 'find' ? 'upload_missing' : 'timed_out';
        expect(await host.getOutcome(id)).toMatchObject({ status: 'failed', reason, found: [] });
      } else {
        expect(await host.getOutcome(id)).toMatchObject({ status: 'failed', reason: 'internal', found: [] });
      }
      expect(await host.erase(id)).toEqual([]);
    },
  );
});

describe.skipIf(deployed)('a document that is deleted during ingestion', () => {
  const all = methods.flatMap((way) =>
    listSteps(way).flatMap((step) => [
      { way, step, when: 'before', id: '' },
      { way, step, when: 'after', id: '' },
    ]),
  );
  const killed = methods.flatMap((way) => [
    { way, step: 'put', when: 'after, and the function killed,', id: '' },
    { way, step: 'put', when: 'before, and the function killed after it,', id: '' },
  ]);
  const cases = [...drawSample(all, 6), ...killed];

  beforeAll(async () => {
    for (const one of cases) {
      const erase = () => host.erase(one.id);
      let isErased = false;
      one.id = await host.upload(one.way, content, async ({ name, attempt, kill }) => {
        // A function that waits for its answer repeats its request, which must not arrive after the deletion.
        if (isErased && attempt === 1 && one.when.includes('killed')) return 'hang';
        if (name !== one.step || isErased) return 'pass';
        isErased = true;
        if (one.when === 'after') return { answerAfter: erase };
        if (one.when.startsWith('after')) return { answerAfter: () => erase().then(kill) };
        await erase();
        return one.when === 'before' ? 'pass' : { answerAfter: kill };
      });
    }
    await host.deliverAll();
  });

  it.each(cases)('$when the step "$step" ($way) leaves nothing', async ({ id }) => {
    expect(host.ingest.seen.get(id)).not.toEqual([]);
    expect((await getRecord(id)).status).toBe(404);
    expect(await host.files(id)).toEqual([]);
    expect(countDeadLetters(id)).toBe(0);
  });
});

describe.skipIf(deployed)('a duplicate event', () => {
  it.each(methods.flatMap((way) => listSteps(way).map((step) => ({ way, step }))))(
    'changes nothing during the step "$step" or later ($way)',
    async ({ way, step }) => {
      const events: SQSEvent[] = [];
      const id = await host.upload(way, content, async ({ name, event }): Promise<Fault> => {
        if (name !== step || events.length > 0) return 'pass';
        events.push(event);
        await host.ingest.invoke(event);
        return 'pass';
      });
      await host.deliverAll();
      expect(host.ingest.seen.get(id)).toHaveLength(2);
      expect(await host.getOutcome(id)).toEqual(ready);
      const { text } = await getRecord(id);
      await host.ingest.invoke(events[0] as SQSEvent);
      expect((await getRecord(id)).text).toBe(text);
      expect(await host.getOutcome(id)).toEqual(ready);
    },
  );
});

describe.skipIf(deployed)('a second file sent with the same form', () => {
  const other = 'The archive is in the garden.';

  /** Uploads and parses a second file while the ingestion of the first is at a step. */
  async function replaceDuring(step: 'note' | 'put', first: 'goes on' | 'is killed'): Promise<string> {
    const announced = await host.announce(content);
    const { id } = announced.knowledge_base;
    await host.send(announced, content);
    let isReplaced = false;
    host.ingest.disturbances.set(id, async ({ name, event, kill }) => {
      if (name !== step || isReplaced) return 'pass';
      isReplaced = true;
      await host.send(announced, other);
      const isKilled = first === 'is killed';
      await (isKilled ? kill() : host.ingest.invoke(event));
      return isKilled ? 'hang' : 'pass';
    });
    await host.deliverAll();
    return id;
  }

  it.each(['goes on', 'is killed'] as const)(
    'replaces the first until its digest is recorded (the first %s)',
    async (first) => {
      const id = await replaceDuring('note', first);
      expect(await host.getOutcome(id)).toEqual({ ...ready, sha256: digest(other), found: [other] });
      expect(await host.erase(id)).toEqual([]);
    },
  );

  it.each(['goes on', 'is killed'] as const)(
    'fails both once the digest of the first is recorded (the first %s)',
    async (first) => {
      const id = await replaceDuring('put', first);
      expect(await host.getOutcome(id)).toEqual({
        status: 'failed',
        reason: 'replaced',
        sha256,
        passages: 0,
        found: [],
      });
      expect(await host.erase(id)).toEqual([]);
    },
  );
});

describe.skipIf(deployed)('a document that is exported before its ingestion', () => {
  it('is ingested again after an import', async () => {
    const { user, owner } = await host.newUser();
    const id = await host.post(content, user);
    const dir = mkdtempSync(join(tmpdir(), 'voice-assistants-export-'));
    const manifest = await exportWholeUser(host.place, dir, user.sub);
    await host.deliverAll();
    expect(await getKnowledgeBase(user, id)).toMatchObject({ status: 'ready' });

    await eraseUserData(host.place, await listUserData(host.place, owner), ignoreProgress);
    await importUser(host.place, dir, manifest, { user: user.sub, existing: 'refuse' }, ignoreProgress);
    rmSync(dir, { recursive: true });
    expect(await getKnowledgeBase(user, id)).toMatchObject({ status: 'processing' });
    await host.deliverAll();
    expect(await getKnowledgeBase(user, id)).toMatchObject({ status: 'ready' });
  });
});

describe.skipIf(deployed)('a message', () => {
  it('about a file without a row deletes the file and its passages', async () => {
    const id = randomUUID();
    for (const folder of ['uploads', 'passages']) await host.put(`${folder}/${host.owner}/${id}`);
    await host.deliverAll();
    expect(await host.files(id)).toEqual([]);
    expect(countDeadLetters(id)).toBe(0);
  });

  it('about a file that a form stores after its deletion deletes the file', async () => {
    const announced = await host.announce(content);
    const { id } = announced.knowledge_base;
    await host.send(announced, content);
    await host.deliverAll();
    expect(await host.erase(id)).toEqual([]);
    await host.send(announced, content);
    expect(await host.files(id)).toEqual([`uploads/${host.owner}/${id}`]);
    await host.deliverAll();
    expect(await host.files(id)).toEqual([]);
  });

  it('about a missing file without a row succeeds immediately', async () => {
    const id = randomUUID();
    host.sendMessage(JSON.stringify({ detail: { object: { key: `uploads/${host.owner}/${id}`, sequencer: '01' } } }));
    await host.deliverAll();
    expect(host.ingest.seen.get(id)).toEqual([['find', 'find', 'remove', 'remove']]);
    expect(countDeadLetters(id)).toBe(0);
  });

  it('that SQS rejects goes to the dead-letter queue, and the others of its batch are sent once', async () => {
    const rejected = 'not a uuid';
    host.sendMessage(
      JSON.stringify({ detail: { object: { key: `uploads/${host.owner}/${rejected}`, sequencer: '01' } } }),
    );
    const ids = [await host.upload('multipart', content), await host.upload('presigned', content)];
    host.taken.length = 0;
    await host.deliverAll();
    expect(host.taken).toEqual([3, 1, 1, 1, 1, 1]);
    expect(countDeadLetters(rejected)).toBe(1);
    for (const id of ids) {
      expect(host.ingest.seen.get(id)).toHaveLength(1);
      expect(await host.getOutcome(id)).toEqual(ready);
    }
  });

  it('with an invalid body goes to the dead-letter queue and does not crash the function', async () => {
    const nonsense = ['', 'nonsense', 'null', '[]', '{}', '{"detail":null}', '{"detail":{"object":{"key":7}}}'];
    const ofNoDocument = ['{"detail":{}}', '{"detail":{"object":{"key":"uploads/nobody"}}}'];
    const before = host.listDeadLetters();
    const { startCount: started } = host.ingest;
    for (const body of [...nonsense, ...ofNoDocument]) host.sendMessage(body);
    const id = await host.upload('multipart', content);
    await host.deliverAll();
    expect(host.listDeadLetters().slice().sort()).toEqual([...before, ...nonsense].sort());
    expect(host.ingest.startCount).toBe(started);
    expect(await host.getOutcome(id)).toEqual(ready);
  });
});
