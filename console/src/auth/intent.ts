/** Time in which the user may decide about unsaved changes, and the next page opens, in milliseconds. */
const leavingMs = 10 * 60_000;

/**
 * Remembers what the user has asked for, before this tab leaves for the page that does it: any page can open that page's address. Forgets it
 * when the user goes on here, having cancelled it.
 */
export function rememberIntent(key: string, value: string): void {
  sessionStorage.setItem(key, JSON.stringify({ value, until: Date.now() + leavingMs }));
  const heard = new AbortController();
  const forget = () => {
    sessionStorage.removeItem(key);
    heard.abort();
  };
  for (const input of ['pointerdown', 'keydown'])
    addEventListener(input, forget, { capture: true, signal: heard.signal });
}

/** Returns what the user has asked for by this key a moment ago. */
export function findIntent(key: string): string | undefined {
  const { value, until } = JSON.parse(sessionStorage.getItem(key) ?? '{}');
  return Date.now() < until ? value : undefined;
}
