import { inject, vi } from 'vitest';

/** Scales a timeout in milliseconds by the load of the machine. */
export const scaleTimeout = (ms: number): number => Math.ceil(ms * inject('slowness'));

/** Retries `look` until it does not throw, and returns its result. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: scaleTimeout(90_000), interval: 200 });
