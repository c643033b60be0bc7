import { expect, it } from 'vitest';
import { forbidRetry, Unavailable } from '../../shared/errors.ts';

it.each([new Unavailable(), new TypeError('a bug'), 'thrown text'])('forbids to retry after the error %j', (thrown) => {
  const { failure, headers } = forbidRetry(thrown);
  expect(failure).toBe(thrown instanceof Unavailable ? 'Unavailable' : 'Internal');
  expect(headers).toEqual({ 'x-should-retry': 'false' });
});
