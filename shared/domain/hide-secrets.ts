const mask = '****';

/** Secrets that are shorter stay: they would hide parts of other words. */
const minCharacters = 4;

/** Returns the length of the longest beginning of a secret that a text ends with. */
function findCutLength(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length >= minCharacters; length--)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}

/**
 * Replaces secrets in a text by `****`, as they are and as JSON writes them. The text may be the beginning of another, so that the
 * beginning of a secret at its end is replaced, too.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret.length >= minCharacters)
    .toSorted((a, b) => b.length - a.length); // one may be part of another
  let hidden = text;
  for (const secret of spellings) hidden = hidden.replaceAll(secret, mask);
  const cut = Math.max(0, ...spellings.map((secret) => findCutLength(hidden, secret)));
  return cut > 0 ? hidden.slice(0, -cut) + mask : hidden;
}
