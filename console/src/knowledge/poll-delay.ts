const secondMs = 1000;

/**
 * Returns the milliseconds until a document in parsing is polled again, by its age. Most are parsed within two seconds.
 */
export function getPollDelayMs(ageMs: number): number {
  if (ageMs < 20 * secondMs) return secondMs;
  return ageMs < 120 * secondMs ? 3 * secondMs : 15 * secondMs;
}
