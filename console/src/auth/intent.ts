/** Time in which the page that the user has asked for opens, in milliseconds. After it, the user has stayed to save changes. */
const leavingMs = 60_000;

/** Remembers, for a minute, what the user has asked for before this tab leaves for the page that does it. Any page can open its address. */
export const rememberIntent = (key: string, value: string): void =>
  sessionStorage.setItem(key, JSON.stringify({ value, until: Date.now() + leavingMs }));

/** Returns what the user has asked for by this key a moment ago. */
export function findIntent(key: string): string | undefined {
  const { value, until } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
  return Date.now() < until ? value : undefined;
}
