import { inject, vi } from 'vitest';

/** Scales a limit in milliseconds by what else the machine does. */
export const patient = (ms: number): number => Math.ceil(ms * inject('slowness'));

/** Waits until `look` returns without throwing, and returns what it does. */
export const eventually = <T>(look: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(look, { timeout: patient(30_000), interval: 50 });
