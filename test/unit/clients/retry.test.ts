import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../clients/typescript/src/api-error.ts';
import { getRetryDelayMs, shouldRetry } from '../../../clients/typescript/src/retry.ts';

const buildBusyError = (seconds: string) => new ApiError(429, [], new Headers({ 'retry-after': seconds }));

describe('a read', () => {
  test.each([0, 429, 500, 502, 503, 504])('is retried after status %i, up to three times', (status) => {
    expect(shouldRetry(0, new ApiError(status, []))).toBe(true);
    expect(shouldRetry(3, new ApiError(status, []))).toBe(false);
  });

  test.each([400, 401, 403, 404, 409, 412, 413, 422])('is not retried after status %i', (status) => {
    expect(shouldRetry(0, new ApiError(status, []))).toBe(false);
  });

  test('is not retried if the user would have to wait too long', () => {
    expect(shouldRetry(0, buildBusyError('10'))).toBe(true);
    expect(shouldRetry(0, buildBusyError('11'))).toBe(false);
  });

  test('is not retried after any other error', () => {
    expect(shouldRetry(0, new TypeError('x is undefined'))).toBe(false);
  });
});

describe('the delay', () => {
  test('is what the API asks for, up to ten seconds', () => {
    expect(getRetryDelayMs(0, buildBusyError('7'))).toBe(7000);
    expect(getRetryDelayMs(0, buildBusyError('0'))).toBe(0);
    expect(getRetryDelayMs(0, buildBusyError('900'))).toBe(10_000);
  });

  test('lasts until the date that the API names, and is zero if it is past', () => {
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
    expect(getRetryDelayMs(0, buildBusyError(inSeconds(6)))).toBeGreaterThan(4000);
    expect(getRetryDelayMs(0, buildBusyError(inSeconds(6)))).toBeLessThanOrEqual(6000);
    expect(getRetryDelayMs(0, buildBusyError(inSeconds(-60)))).toBe(0);
    expect(shouldRetry(0, buildBusyError(inSeconds(60)))).toBe(false);
  });

  test.each(['-1', '-5', '', 'soon', 'Infinity'])('is the usual one after the odd header "%s"', (header) => {
    expect(getRetryDelayMs(1, buildBusyError(header))).toBe(2000);
  });

  test('doubles otherwise', () => {
    expect([0, 1, 2, 9].map((failures) => getRetryDelayMs(failures, new ApiError(500, [])))).toEqual([
      1000, 2000, 4000, 10_000,
    ]);
  });
});
