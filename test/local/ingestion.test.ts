import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployed } from '../support/api.ts';
import type { StepName } from '../support/disturbed.ts';
import { type IngestionHost, ingestionHost, type Way } from '../support/ingestion.ts';
import { sample } from '../support/sample.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await ingestionHost();
});
afterAll(() => host?.stop());

const content = 'The archive is in the cellar.';
const sha256 = createHash('sha256').update(content).digest('hex');
const ready = { status: 'ready', reason: null, sha256, passages: 1, found: [content] };

/** All that the function asks for, by the way a document comes: what only the form brings is still to be known by its bytes. */
const steps: Record<Way, StepName[]> = {
  multipart: ['find', 'get', 'put', 'finish'],
  presigned: ['find', 'get', 'note', 'put', 'finish'],
};

/** After a step there is what there is before the next, so what is always killed is killed before. */
const kills = [
  { when: 'before', often: 'once' },
  { when: 'after', often: 'once' },
  { when: 'before', often: 'always' },
] as const;

const all = (['multipart', 'presigned'] as const).flatMap((way) =>
  steps[way].flatMap((step) => kills.map((kill) => ({ way, step, ...kill, id: '' }))),
);
const cases = sample(all, 12);

/** Whether the record knows the bytes of a document that got no further than to a step. */
const isKnown = (way: Way, step: StepName) => way === 'multipart' || step === 'put' || step === 'finish';

describe.skipIf(deployed)('a function that is killed while it reads a document', () => {
  beforeAll(async () => {
    for (const one of cases) {
      const { way, when, often } = one;
      one.id = await host.upload(way, content, async ({ name, attempt, kill }) => {
        if (name !== one.step || (often === 'once' && attempt > 1)) return 'pass';
        if (when === 'after') return { answerAfter: kill };
        await kill();
        return 'hang';
      });
    }
    await host.run();
  });

  it.each(['multipart', 'presigned'] as const)('has all its steps here (%s)', async (way) => {
    const id = await host.upload(way, content);
    await host.run();
    expect(host.ingest.seen.get(id)).toEqual([steps[way]]);
    expect(await host.outcome(id)).toEqual(ready);
    expect(await host.erased(id)).toEqual([]);
  });

  it.each(cases)('$often $when its step "$step" ($way) leaves a record that is ready, or failed', async (one) => {
    const { id, step } = one;
    const attempts = host.ingest.seen.get(id) ?? [];
    const always = one.often === 'always';
    // What cannot even be looked up, or told, is tried to the end; what cannot be read is told so in the fourth attempt.
    const stuck = always && (step === 'find' || step === 'finish');
    const lost = always ? [true, true, true, ...(stuck ? [true, true, true] : [false])] : undefined;
    expect(attempts.map((seen) => seen.at(-1) === step)).toEqual(
      lost ?? [true, step === 'finish' && one.when === 'before'],
    );
    expect(host.givenUp().filter((body) => body.includes(id))).toHaveLength(stuck ? 1 : 0);
    if (always && !stuck) {
      expect(await host.outcome(id)).toMatchObject({ status: 'failed', reason: 'too_complex', found: [] });
    } else if (stuck) {
      expect(await host.outcome(id)).toMatchObject({ status: 'processing', found: [] });
      await host.expire(id);
      expect(await host.outcome(id)).toMatchObject({
        status: 'failed',
        ...(isKnown(one.way, step) ? { reason: 'timed_out', sha256 } : { reason: 'upload_missing', sha256: null }),
        found: [],
      });
    } else {
      expect(await host.outcome(id)).toEqual(ready);
    }
    expect(await host.erased(id)).toEqual([]);
  });
});
