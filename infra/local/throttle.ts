interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Returns whether a method of the API may take one more request. */
export type Admit = (method: string) => boolean;

/**
 * Limits requests as a stage of API Gateway does: by a token bucket for each method of each resource, which lets `burst` requests
 * pass at once and `rate` a second. Nothing limits all methods together.
 */
export function throttle(rate: number, burst: number): Admit {
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
