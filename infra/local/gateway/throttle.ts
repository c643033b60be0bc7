import { GatewayError } from './gateway-responses.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Takes one token of a method. Returns false if the method has none left. */
export type Admit = (method: string) => boolean;

/**
 * Creates the throttle of an API Gateway stage: a token bucket for each method of each resource, which holds `burst` tokens and gains
 * `rate` tokens a second. No limit covers all methods together.
 */
export function createThrottle(rate: number, burst: number): Admit {
  const buckets = new Map<string, Bucket>();
  return (method) => {
    const now = performance.now();
    const { tokens, filledAt } = buckets.get(method) ?? { tokens: burst, filledAt: now };
    const left = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    const isAdmitted = left >= 1;
    buckets.set(method, { tokens: isAdmitted ? left - 1 : left, filledAt: now });
    return isAdmitted;
  };
}

/** Runs a task for a request of some size. */
type RunWithin = <T>(functionName: string, size: number, task: () => Promise<T>) => Promise<T>;

/** Limits the requests of running tasks to a size for each function, so that a slow one leaves others alone. Throws THROTTLED above. */
export function limitSize(maxSize: number): RunWithin {
  const used = new Map<string, number>();
  const add = (name: string, size: number) => used.set(name, (used.get(name) ?? 0) + size);
  return async (functionName, size, task) => {
    if ((used.get(functionName) ?? 0) + size > maxSize) throw new GatewayError('THROTTLED');
    add(functionName, size);
    try {
      return await task();
    } finally {
      add(functionName, -size);
    }
  };
}
