import { catalogue, languages } from '../../../shared/openapi/vendors.ts';

/** What a vendor is for: speech synthesis, language model, speech recognition. */
export type Kind = keyof typeof catalogue;

const known = (kind: Kind): Record<string, string[]> => catalogue[kind];

/** The vendors that are known. Any other name is as good. */
export const providersOf = (kind: Kind): string[] => Object.keys(known(kind));

/** The models of a vendor, as far as they are known; of one that is not, those of all. */
export function modelsOf(kind: Kind, provider: string): string[] {
  const vendors = known(kind);
  return Object.hasOwn(vendors, provider) ? (vendors[provider] ?? []) : [...new Set(Object.values(vendors).flat())];
}

/** The model after the vendor was changed: one of another vendor gives way to the first of this one; other text stays. */
export function modelAfter(kind: Kind, provider: string, model: string): string {
  const own = modelsOf(kind, provider);
  const isOthers = !own.includes(model) && Object.values(known(kind)).some((models) => models.includes(model));
  return isOthers ? (own[0] ?? model) : model;
}

export { languages };

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** What a language code stands for, in English; undefined where nobody knows. */
export function languageName(code: string): string | undefined {
  try {
    return names.of(code.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
