const dayMs = 86_400_000;

/** In how many days a new key expires. */
const spans = { month: 30, quarter: 90, year: 365 };

export type ExpiryChoice = 'never' | keyof typeof spans | 'date';

/**
 * The end of a new key, in RFC 3339; null for one without end. `day` is what a date field holds (`2026-12-31`): the key is
 * good until the end of that day, where the reader is. Undefined where that is no day, or has passed.
 */
export function endOf(choice: ExpiryChoice, day: string, now: Date): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now.getTime() + spans[choice] * dayMs).toISOString();
  const end = new Date(`${day}T23:59:59.999`);
  return end.getTime() > now.getTime() ? end.toISOString() : undefined;
}
