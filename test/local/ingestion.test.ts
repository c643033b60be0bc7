import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployed } from '../support/api.ts';
import type { StepName } from '../support/disturbed-runner.ts';
import { type IngestionHost, startIngestionHost, type UploadMethod } from '../support/ingestion.ts';
import { drawSample } from '../support/sample.ts';

let host: IngestionHost;
beforeAll(async () => {
  if (!deployed) host = await startIngestionHost();
});
afterAll(() => host?.stop());

const content = 'The archive is in the cellar.';
const sha256 = createHash('sha256').update(content).digest('hex');
const ready = { status: 'ready', reason: null, sha256, passages: 1, found: [content] };

/** Requests of the function by upload method. For a presigned upload, `note` records the digest, which the API does not know yet. */
const steps: Record<UploadMethod, StepName[]> = {
  multipart: ['find', 'get', 'find', 'put', 'finish'],
  presigned: ['find', 'get', 'note', 'find', 'put', 'finish'],
};

/** Times to kill the function. The state after a step equals the state before the next, so `always` only kills before a step. */
const kills = [
  { when: 'before', often: 'once' },
  { when: 'after', often: 'once' },
  { when: 'before', often: 'always' },
] as const;

const all = (['multipart', 'presigned'] as const).flatMap((way) =>
  [...new Set(steps[way])].flatMap((step) => kills.map((kill) => ({ way, step, ...kill, id: '' }))),
);
const cases = drawSample(all, 12);

/** True if a knowledge base has its digest after the ingestion stopped at a step. */
const isKnown = (way: UploadMethod, step: StepName) => way === 'multipart' || step === 'put' || step === 'finish';

describe.skipIf(deployed)('an ingestion function that is killed', () => {
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
    await host.deliverAll();
  });

  it.each(['multipart', 'presigned'] as const)('runs exactly the tested steps (%s)', async (way) => {
    const id = await host.upload(way, content);
    await host.deliverAll();
    expect(host.ingest.seen.get(id)).toEqual([steps[way]]);
    expect(await host.getOutcome(id)).toEqual(ready);
    expect(await host.erase(id)).toEqual([]);
  });

  it.each(cases)(
    '$often $when the step "$step" ($way) leaves a knowledge base that is ready or failed',
    async (one) => {
      const { id, step } = one;
      const attempts = host.ingest.seen.get(id) ?? [];
      const always = one.often === 'always';
      // Without `find` or `finish` no attempt can record a failure, so all six run. Otherwise the fourth attempt records it.
      const stuck = always && (step === 'find' || step === 'finish');
      const lost = always ? [true, true, true, ...(stuck ? [true, true, true] : [false])] : undefined;
      expect(attempts.map((seen) => seen.at(-1) === step)).toEqual(
        lost ?? [true, step === 'finish' && one.when === 'before'],
      );
      expect(host.listDeadLetters().filter((body) => body.includes(id))).toHaveLength(stuck ? 1 : 0);
      if (always && !stuck) {
        expect(await host.getOutcome(id)).toMatchObject({ status: 'failed', reason: 'internal', found: [] });
      } else if (stuck) {
        expect(await host.getOutcome(id)).toMatchObject({ status: 'processing', found: [] });
        await host.expire(id);
        expect(await host.getOutcome(id)).toMatchObject({
          status: 'failed',
          ...(isKnown(one.way, step) ? { reason: 'timed_out', sha256 } : { reason: 'upload_missing', sha256: null }),
          found: [],
        });
      } else {
        expect(await host.getOutcome(id)).toEqual(ready);
      }
      expect(await host.erase(id)).toEqual([]);
    },
  );
});
