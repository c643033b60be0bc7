/** API Gateway's token bucket: `rate` requests a second, `burst` at once. Says whether the next request may pass. */
export function throttle(rate = Infinity, burst = Infinity): () => boolean {
  let tokens = burst;
  let filledAt = performance.now();
  return () => {
    const now = performance.now();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
