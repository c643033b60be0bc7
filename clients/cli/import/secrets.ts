/** True if what has this name is a key. Wider than the service's own rule, which refuses such names in a tool. */
export const isSecretName = (name: string): boolean =>
  /authorization|cookie|(?:^|[-_])(?:key|auth|sig|signature|pwd|pass)$|api[-_]?key|access[-_]?key|token|secret|passw|credential/i.test(
    name,
  );

/** Beginning of a tag up to the end of the variable's name, which is no key: `{{pk_customer_reference_1`. */
const tagName = '(\\{\\{-?\\s*[A-Za-z_][A-Za-z0-9_.-]*(?=\\s*(?:[|}]|-\\})))';

/** Keys by the form that their vendors give them. Words alone, such as `Basic responsibilities`, have no digit. */
const knownKeys = new RegExp(
  [
    tagName,
    '\\b(?:sk|pk|rk)[-_](?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{16,}',
    '\\bgh[pousr]_[A-Za-z0-9]{20,}',
    '\\bgithub_pat_[A-Za-z0-9_]{20,}',
    '\\bxox[abprs]-[A-Za-z0-9-]{10,}',
    '\\bAKIA[0-9A-Z]{16}\\b',
    '\\bAIza[A-Za-z0-9_-]{30,}',
    '\\bcal_(?:live|test)_[A-Za-z0-9]{16,}',
    '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
    '\\beyJ[A-Za-z0-9_-]{8,500}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]*',
    '\\b(?:Bearer|Basic)\\s+(?=[A-Za-z._~+/-]{0,200}[0-9])[A-Za-z0-9._~+/-]{16,}=*',
    '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)',
  ].join('|'),
  'g',
);

/** Replaces keys in a text by `****`. */
export const hideKeys = (text: string): string => text.replaceAll(knownKeys, (_, tag?: string) => tag ?? '****');

/** True if a value of a header or a parameter looks like a key. */
export const isKeyLike = (value: string): boolean =>
  hideKeys(value) !== value ||
  /^(?:Bearer|Basic|Token)\s/i.test(value) ||
  /^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+/=.-]{20,}$/.test(value);

/** Replaces keys in all texts of a JSON value. */
export function hideKeysInside(value: unknown): unknown {
  if (typeof value === 'string') return hideKeys(value);
  if (Array.isArray(value)) return value.map(hideKeysInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideKeysInside(one)]));
}
