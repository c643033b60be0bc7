/** Returns true if text can be stored unchanged. API Gateway replaces bytes that are not UTF-8 by U+FFFD, which `mayBeLossy` accepts. */
export const isStorable = (text: string, mayBeLossy = false): boolean =>
  text.isWellFormed() && !text.includes('\0') && (mayBeLossy || !text.includes('\ufffd'));

/** Keys with a special meaning in JavaScript. Objects would drop them silently, so they are rejected. */
const reservedKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns true if an object with this key can be stored unchanged. */
export const isStorableKey = (key: string, mayBeLossy = false): boolean =>
  isStorable(key, mayBeLossy) && !reservedKeys.has(key);
