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

/** Part of a text, from a position up to another. */
type Part = [from: number, to: number];

/**
 * Finds a secret in a text. Occurrences that overlap or touch are one part. Reads each
 * character about once, whatever the secret (the algorithm of Knuth, Morris and Pratt): `replaceAll` compares all with all for some.
 */
function findSecret(text: string, secret: string): Part[] {
  const repeats = findRepeats(secret);
  const parts: Part[] = [];
  let found = 0;
  for (let i = 0; i < text.length; i++) {
    while (found > 0 && text[i] !== secret[found]) found = repeats[found - 1] ?? 0;
    if (text[i] === secret[found]) found++;
    if (found < secret.length) continue;
    const last = parts.at(-1);
    if (last && last[1] > i - found) last[1] = i + 1;
    else parts.push([i + 1 - found, i + 1]);
    found = repeats[found - 1] ?? 0;
  }
  return parts;
}

/** Escapes of JSON for characters that secrets have. */
const escapes = /\\(?:u([0-9a-f]{4})|(["\\/]))/gi;

/** Levels of escapes that are undone: JSON may have a text that is JSON. */
const maxLevels = 4;

/** Maximum length of a character that JSON escapes at each level, as a quote or by its code, by encoders that write a backslash as two. */
export const maxEscapeCharacters = 2 ** maxLevels;

/**
 * Replaces secrets in a text that may be JSON, or its beginning, as `hideSecrets` does, whatever characters the JSON escapes, also in JSON
 * within it. If it finds one that is escaped, it returns the whole text without these escapes.
 */
export function hideEscapedSecrets(text: string, secrets: readonly string[]): string {
  let shown = hideSecrets(text, secrets);
  let plain = shown;
  for (let level = 0; level < maxLevels && plain.includes('\\'); level++) {
    plain = plain.replaceAll(escapes, (_, code: string | undefined, character = '') =>
      code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
    );
    const hidden = hideSecrets(plain, secrets);
    if (hidden !== plain) shown = plain = hidden;
  }
  return shown;
}

/**
 * Returns the number of characters at the end of a cut text that may be the beginning of a secret. They have to go, whatever they are: to
 * hide only beginnings would tell who guesses a secret each of its characters.
 */
export const countUnsafe = (secrets: readonly string[]): number =>
  maxEscapeCharacters * Math.max(0, ...secrets.map(({ length }) => length));

/** Replaces secrets in the beginning of a longer text as `hideEscapedSecrets` does. Leaves out its end, which may be the beginning of one. */
export function hideSecretsInCut(text: string, secrets: readonly string[]): string {
  const hidden = hideEscapedSecrets(text, secrets);
  return hidden.slice(0, Math.max(0, hidden.length - countUnsafe(secrets)));
}

/** Replaces secrets in a text by `****`, as they are and as JSON writes them, those that overlap together. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  const trimmed = secrets.flatMap((secret) => [secret, secret.trim()]); // HTTP takes blanks around the value of a header away
  const spellings = new Set(trimmed.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]));
  const parts = [...spellings]
    .filter((secret) => secret.length >= minCharacters)
    .flatMap((secret) => findSecret(text, secret))
    .toSorted(([a], [b]) => a - b);
  let hidden = '';
  let end = 0;
  for (const [from, to] of parts) {
    if (from >= end) hidden += text.slice(end, from) + mask;
    end = Math.max(end, to);
  }
  return hidden + text.slice(end);
}
