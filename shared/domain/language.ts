/** Values that mean "any language" to the vendors of speech recognition and synthesis. */
const anyLanguage = new Set(['multi', 'auto']);

/** The primary language of a code, canonical where it is BCP 47 (`cmn-Hans-CN` and `zh_TW` are `zh`). */
function primaryLanguage(code: string): string {
  const tag = code.replaceAll('_', '-').toLowerCase();
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.split('-', 1)[0] ?? tag; // a vendor's own code
  }
}

/** Whether an assistant hears the language that it speaks. */
export function sameLanguage(one: string, other: string): boolean {
  const [a, b] = [primaryLanguage(one), primaryLanguage(other)];
  return a === b || anyLanguage.has(a) || anyLanguage.has(b);
}
