const padTwo = (number: number) => String(number).padStart(2, '0');

/** Formats seconds as a clock does: '0:07', '12:03', '1:02:03'. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = padTwo(whole % 60);
  return hours > 0 ? `${hours}:${padTwo(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Parses '75', '1:15' or '1:02:03' into seconds; undefined for any other text. */
export function parseClock(typed: string): number | undefined {
  const match = /^(?:(?:(\d{1,2}):)?(\d{1,3}):)?(\d{1,5}(?:\.\d+)?)$/.exec(typed.trim());
  if (!match) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return hours * 3600 + minutes * 60 + seconds;
}

/** Formats a short duration: '0.4 s', '12 s', '2 min'. */
export function formatDuration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  return seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}
