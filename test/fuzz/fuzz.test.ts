import { describe, expect, inject, test } from 'vitest';
import { drawSample } from '../support/sample.ts';
import { operations } from './document.ts';
import { countResponses, fuzz } from './fuzz.ts';
import type { ResourcePool } from './resource-pool.ts';
import { useSubjects } from './shared-subjects.ts';

/** Fixed seed, so that only a change of the code can fail the test. `npm run fuzz` uses random seeds. */
const seed = 20_260_711;

const { local, host } = useSubjects();

/** Operations that need what only others create, such as the delivery of an event, two versions, or a credential. */
const dependent = [
  'webhooks/retry',
  'assistants/call-tool',
  'versions/live',
  'completions/create',
  'search/answer',
  'vision/analyze',
  'web-calls/create',
];

describe.each(drawSample(operations, 12, ({ id }) => id))(`the operation $id with seed ${seed}`, (operation) => {
  let pool: ResourcePool | undefined;

  test('returns only what the OpenAPI document describes, for valid and invalid requests', async () => {
    const outcome = await fuzz(operation, local(), { runs: inject('cases') === 'all' ? 100 : 40, seed });
    ({ pool } = outcome);
    expect(outcome.failure).toBeUndefined();
    // Requests that all succeed, or all fail, would test little.
    if (!dependent.includes(operation.id))
      expect(countResponses(outcome, 2), JSON.stringify([...outcome.statuses])).toBeGreaterThan(0);
    expect(countResponses(outcome, 4)).toBeGreaterThan(0);
  });

  test('returns only what the OpenAPI document describes over HTTP', async () => {
    const { failure } = await fuzz(operation, host(), { runs: 5, seed, pool });
    expect(failure).toBeUndefined();
  });
});
