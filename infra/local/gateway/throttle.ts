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

/** Runs a task for a request that takes some memory. */
type RunWithin = <T>(functionName: string, bytes: number, task: () => Promise<T>) => Promise<T>;

/** Limits the memory of the requests of each function, so that a slow function leaves others alone. Throws THROTTLED above. */
export function limitBytes(maxBytes: number): RunWithin {
  const used = new Map<string, number>();
  const add = (name: string, bytes: number) => used.set(name, (used.get(name) ?? 0) + bytes);
  return async (functionName, bytes, task) => {
    if ((used.get(functionName) ?? 0) + bytes > maxBytes) throw new GatewayError('THROTTLED');
    add(functionName, bytes);
    try {
      return await task();
    } finally {
      add(functionName, -bytes);
    }
  };
}
