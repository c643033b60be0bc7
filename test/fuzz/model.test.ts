import { expect, test } from 'vitest';
import { runSequences } from './model/run-sequences.ts';
import { useSubjects } from './shared-subjects.ts';

const { local } = useSubjects();

test('reads return what was written, after any sequence of operations', async () => {
  const { failure, requests } = await runSequences(local(), { runs: 20, seed: 20_260_711 }, 60);
  expect(failure).toBeUndefined();
  expect(requests).toBeGreaterThan(300);
});
