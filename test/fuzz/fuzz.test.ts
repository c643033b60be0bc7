import { describe, expect, inject, test } from 'vitest';
import { sample } from '../support/sample.ts';
import { operations } from './document.ts';
import { answered, fuzz } from './fuzz.ts';
import { subjects } from './running.ts';

/** The same requests each time, so that only a change can break them; `npm run fuzz` takes others. */
const seed = 20_260_711;

const { local, host } = subjects();

describe.each(sample(operations, 12, ({ id }) => id))(`the operation $id, by seed ${seed}`, (operation) => {
  test('answers as the document says, whatever it is sent', async () => {
    const outcome = await fuzz(operation, local(), { runs: inject('seed') === 'all' ? 100 : 40, seed });
    expect(outcome.failure).toBeUndefined();
    // A fuzzer that is always refused, or never, tests nothing.
    expect(answered(outcome, 2), JSON.stringify([...outcome.statuses])).toBeGreaterThan(0);
    expect(answered(outcome, 4)).toBeGreaterThan(0);
  });

  test('and over HTTP', async () => {
    const { failure } = await fuzz(operation, host(), { runs: 5, seed });
    expect(failure).toBeUndefined();
  });
});
