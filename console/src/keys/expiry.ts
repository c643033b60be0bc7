const dayMs = 86_400_000;

/** Days until a new key expires. */
const expiryDays = { month: 30, quarter: 90, year: 365 };

export type ExpiryChoice = 'never' | keyof typeof expiryDays | 'date';

/**
 * Returns the expiry of a new key in RFC 3339; null for never. `day` is the value of a date field (`2026-12-31`): the
 * key is valid until the end of that day in the user's time zone. Undefined if the day is invalid or past.
 */
export function toExpiry(choice: ExpiryChoice, day: string, now: Date): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return new Date(now.getTime() + expiryDays[choice] * dayMs).toISOString();
  const end = new Date(`${day}T23:59:59.999`);
  return end.getTime() > now.getTime() ? end.toISOString() : undefined;
}
