/** Language codes that mean "any language" to STT and TTS vendors. */
const anyLanguage = new Set(['multi', 'auto']);

/** Returns the primary language of a code, in canonical form if it is BCP 47 (`cmn-Hans-CN` and `zh_TW` are `zh`). */
function toPrimaryLanguage(code: string): string {
  const tag = code.replaceAll('_', '-').toLowerCase();
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.split('-', 1)[0] ?? tag; // not BCP 47, but a code of the vendor
  }
}

/** True if two codes have the same primary language, or one means any language. */
export function isSameLanguage(one: string, other: string): boolean {
  const [a, b] = [toPrimaryLanguage(one), toPrimaryLanguage(other)];
  return a === b || anyLanguage.has(a) || anyLanguage.has(b);
}
