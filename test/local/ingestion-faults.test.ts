import { createHash, randomUUID } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployed } from '../support/api.ts';
import type { Fault } from '../support/faulty-proxy.ts';
import { type IngestionHost, ingestionHost } from '../support/ingestion.ts';
import { sample } from '../support/sample.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await ingestionHost();
});
afterAll(() => host?.stop());

const content = 'The archive is in the cellar.';
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const sha256 = digest(content);
const ready = { status: 'ready', reason: null, sha256, passages: 1, found: [content] };

const ways = ['multipart', 'presigned'] as const;
const steps = ['find', 'get', 'note', 'put', 'finish'] as const;
const stepsOf = (way: (typeof ways)[number]) => steps.filter((step) => way === 'presigned' || step !== 'note');
const recordOf = (id: string) => host.user.get(`/assistants/knowledge-base/${id}`);
const given = (id: string) => host.givenUp().filter((body) => body.includes(id)).length;

describe.skipIf(deployed)('a service that fails while a document is read', () => {
  const all = steps.flatMap((step) =>
    (['throttle', 'fail', 'reset', 'lose'] as const).flatMap((fault) =>
      (['once', 'always'] as const).map((often) => ({ step, fault, often, id: '' })),
    ),
  );
  const cases = sample(all, 16);

  // First what happens once: what never passes uses up the retries that the SDK allows a process.
  beforeAll(async () => {
    for (const often of ['once', 'always']) {
      for (const one of cases.filter((each) => each.often === often)) {
        let times = 0;
        one.id = await host.upload('presigned', content, ({ name }) => {
          if (name === one.step) times += 1;
          return name === one.step && (often === 'always' || times === 1) ? one.fault : 'pass';
        });
      }
      await host.run();
    }
  });

  it.each(cases.filter(({ often }) => often === 'once'))('once ($fault at "$step") is not seen', async ({ id }) => {
    expect(host.ingest.seen.get(id)).toHaveLength(1);
    expect(await host.outcome(id)).toEqual(ready);
    expect(await host.erased(id)).toEqual([]);
  });

  it.each(cases.filter(({ often }) => often === 'always'))(
    'always ($fault at "$step") leaves a record that is ready, or failed',
    async ({ step, fault, id }) => {
      const isDone = fault === 'lose' && (step === 'note' || step === 'finish');
      expect(given(id)).toBe(step === 'find' || (step === 'finish' && !isDone) ? 1 : 0);
      if (isDone) {
        expect(await host.outcome(id)).toEqual(ready);
      } else if (step === 'find' || step === 'finish') {
        expect(await host.outcome(id)).toMatchObject({ status: 'processing' });
        await host.expire(id);
        const reason = step === 'find' ? 'upload_missing' : 'timed_out';
        expect(await host.outcome(id)).toMatchObject({ status: 'failed', reason, found: [] });
      } else {
        expect(await host.outcome(id)).toMatchObject({ status: 'failed', reason: 'internal', found: [] });
      }
      expect(await host.erased(id)).toEqual([]);
    },
  );
});

describe.skipIf(deployed)('a document that is deleted while it is read', () => {
  const all = ways.flatMap((way) => [
    ...stepsOf(way).flatMap((step) => [
      { way, step, when: 'before', id: '' },
      { way, step, when: 'after', id: '' },
    ]),
    { way, step: 'put', when: 'after, and the function killed,', id: '' },
  ]);
  const cases = sample(all, 8);

  beforeAll(async () => {
    for (const one of cases) {
      const erase = () => host.erased(one.id);
      let isErased = false;
      one.id = await host.upload(one.way, content, async ({ name, kill }) => {
        if (name !== one.step || isErased) return 'pass';
        isErased = true;
        if (one.when === 'after') return { answerAfter: erase };
        if (one.when !== 'before') return { answerAfter: () => erase().then(kill) };
        await erase();
        return 'pass';
      });
    }
    await host.run();
  });

  it.each(cases)('$when the step "$step" ($way) leaves nothing', async ({ id }) => {
    expect(host.ingest.seen.get(id)).not.toEqual([]);
    expect((await recordOf(id)).status).toBe(404);
    expect(await host.files(id)).toEqual([]);
    expect(given(id)).toBe(0);
  });
});

describe.skipIf(deployed)('an event that comes twice', () => {
  it.each(ways.flatMap((way) => stepsOf(way).map((step) => ({ way, step }))))(
    'while the first is at "$step", and again later ($way), changes nothing',
    async ({ way, step }) => {
      const events: SQSEvent[] = [];
      const id = await host.upload(way, content, async ({ name, event }): Promise<Fault> => {
        if (name !== step || events.length > 0) return 'pass';
        events.push(event);
        await host.ingest.invoke(event);
        return 'pass';
      });
      await host.run();
      expect(host.ingest.seen.get(id)).toHaveLength(2);
      expect(await host.outcome(id)).toEqual(ready);
      const { text } = await recordOf(id);
      await host.ingest.invoke(events[0] as SQSEvent);
      expect((await recordOf(id)).text).toBe(text);
      expect(await host.outcome(id)).toEqual(ready);
    },
  );
});

describe.skipIf(deployed)('another file by the same form', () => {
  const other = 'The archive is in the garden.';

  /** Has another file come, and be read, while the first one is at a step. */
  async function replacedAt(step: 'note' | 'put', first: 'goes on' | 'is killed'): Promise<string> {
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
    await host.run();
    return id;
  }

  it.each(['goes on', 'is killed'] as const)('takes its place before it is known (the first %s)', async (first) => {
    const id = await replacedAt('note', first);
    expect(await host.outcome(id)).toEqual({ ...ready, sha256: digest(other), found: [other] });
    expect(await host.erased(id)).toEqual([]);
  });

  it.each(['goes on', 'is killed'] as const)('fails both once it is known (the first %s)', async (first) => {
    const id = await replacedAt('put', first);
    expect(await host.outcome(id)).toEqual({ status: 'failed', reason: 'replaced', sha256, passages: 0, found: [] });
    expect(await host.erased(id)).toEqual([]);
  });
});

describe.skipIf(deployed)('a message', () => {
  it('of a file without a record has the file deleted, and what was made of it', async () => {
    const id = randomUUID();
    for (const folder of ['uploads', 'passages']) await host.put(`${folder}/${host.owner}/${id}`);
    await host.run();
    expect(await host.files(id)).toEqual([]);
    expect(given(id)).toBe(0);
  });

  it('of a file that is gone, and has no record, is done with at once', async () => {
    const id = randomUUID();
    host.tell(JSON.stringify({ detail: { object: { key: `uploads/${host.owner}/${id}` } } }));
    await host.run();
    expect(host.ingest.seen.get(id)).toEqual([['find', 'find']]);
    expect(given(id)).toBe(0);
  });

  it('that is nonsense is given up, and the function lives on', async () => {
    const nonsense = ['', 'nonsense', 'null', '[]', '{}', '{"detail":null}', '{"detail":{"object":{"key":7}}}'];
    const ofNoDocument = ['{"detail":{}}', '{"detail":{"object":{"key":"uploads/nobody"}}}'];
    const before = host.givenUp();
    const { started } = host.ingest;
    for (const body of [...nonsense, ...ofNoDocument]) host.tell(body);
    const id = await host.upload('multipart', content);
    await host.run();
    expect(host.givenUp().slice().sort()).toEqual([...before, ...nonsense].sort());
    expect(host.ingest.started).toBe(started);
    expect(await host.outcome(id)).toEqual(ready);
  });
});
