const mask = '****';

/** Secrets that are shorter stay: they would hide parts of other words. */
const minCharacters = 4;

/** Returns for each position the length of the longest beginning of a text that ends there, and begins after its first character. */
function findRepeats(text: string): Uint32Array {
  const repeats = new Uint32Array(text.length);
  let length = 0;
  for (let i = 1; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = repeats[length - 1] ?? 0;
    if (text[i] === text[length]) length++;
    repeats[i] = length;
  }
  return repeats;
}

/**
 * Replaces a secret in a text by `****`. `cut` is the length of the longest beginning of the secret that the text ends with. Reads each
 * character about once, whatever the secret (the algorithm of Knuth, Morris and Pratt): `replaceAll` compares all with all for some.
 */
function hide(text: string, secret: string): { hidden: string; cut: number } {
  const repeats = findRepeats(secret);
  let hidden = '';
  let from = 0;
  let found = 0;
  for (let i = 0; i < text.length; i++) {
    while (found > 0 && text[i] !== secret[found]) found = repeats[found - 1] ?? 0;
    if (text[i] === secret[found]) found++;
    if (found < secret.length) continue;
    hidden += text.slice(from, i + 1 - secret.length) + mask;
    from = i + 1;
    found = 0;
  }
  return { hidden: hidden + text.slice(from), cut: found };
}

/**
 * Replaces secrets in a text by `****`, as they are and as JSON writes them. The text may be the beginning of another, so that the
 * beginning of a secret at its end is replaced, too.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const spellings = new Set(secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const longestFirst = [...spellings]
    .filter((secret) => secret.length >= minCharacters)
    .toSorted((a, b) => b.length - a.length); // one may be part of another
  const hidden = longestFirst.reduce((rest, secret) => hide(rest, secret).hidden, text);
  const cut = Math.max(0, ...longestFirst.map((secret) => hide(hidden, secret).cut));
  return cut >= minCharacters ? hidden.slice(0, -cut) + mask : hidden;
}
