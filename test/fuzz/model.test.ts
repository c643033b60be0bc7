import { expect, test } from 'vitest';
import { walked } from './model/machine.ts';
import { subjects } from './running.ts';

const { local } = subjects();

test('whatever is done in whatever order, all that is read is what was written', async () => {
  const { failure, requests } = await walked(local(), { runs: 20, seed: 20_260_711 }, 60);
  expect(failure).toBeUndefined();
  expect(requests).toBeGreaterThan(300);
});
