import { describe, expect, it } from 'vitest';
import { Problem } from '../../../console/src/api/problem.ts';
import { retriesRead, retryDelay } from '../../../console/src/api/retry.ts';

const askingFor = (seconds: string) => new Problem(429, [], new Headers({ 'retry-after': seconds }));

describe('a read', () => {
  it.each([0, 429, 500, 502, 503, 504])('is tried again after %i, three times', (status) => {
    expect(retriesRead(0, new Problem(status, []))).toBe(true);
    expect(retriesRead(3, new Problem(status, []))).toBe(false);
  });

  it.each([400, 401, 403, 404, 409, 412, 413, 422])('is not tried again after %i', (status) => {
    expect(retriesRead(0, new Problem(status, []))).toBe(false);
  });

  it('is not tried again where that would take longer than somebody waits', () => {
    expect(retriesRead(0, askingFor('10'))).toBe(true);
    expect(retriesRead(0, askingFor('11'))).toBe(false);
  });

  it('is not tried again after a fault of ours', () => {
    expect(retriesRead(0, new TypeError('x is undefined'))).toBe(false);
  });
});

describe('the wait', () => {
  it('is what the service asks for, up to ten seconds', () => {
    expect(retryDelay(0, askingFor('7'))).toBe(7000);
    expect(retryDelay(0, askingFor('0'))).toBe(0);
    expect(retryDelay(0, askingFor('900'))).toBe(10_000);
  });

  it('doubles otherwise', () => {
    expect([0, 1, 2, 9].map((failures) => retryDelay(failures, new Problem(500, [])))).toEqual([
      1000, 2000, 4000, 10_000,
    ]);
  });
});
