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

/** Returns a function that runs tasks, each for a body of some bytes. It throws GatewayError while others have more than `maxBytes`. */
export function limitBytes(maxBytes: number): <T>(bytes: number, task: () => Promise<T>) => Promise<T> {
  let kept = 0;
  return async (bytes, task) => {
    if (kept + bytes > maxBytes) throw new GatewayError('THROTTLED');
    kept += bytes;
    try {
      return await task();
    } finally {
      kept -= bytes;
    }
  };
}
