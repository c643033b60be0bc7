import { catalogue, languages, type Use } from '../../../shared/openapi/vendors.ts';

const known = (use: Use): Record<string, string[]> => catalogue[use];

/** The vendors that are known. Any other name is as good. */
export const providersOf = (use: Use): string[] => Object.keys(known(use));

/** The models of a vendor, as far as they are known; of one that is not, those of all. */
export function modelsOf(use: Use, provider: string): string[] {
  const vendors = known(use);
  return Object.hasOwn(vendors, provider) ? (vendors[provider] ?? []) : [...new Set(Object.values(vendors).flat())];
}

/** The model after the vendor was changed: one of another vendor gives way to the first of this one; other text stays. */
export function modelAfter(use: Use, provider: string, model: string): string {
  const own = modelsOf(use, provider);
  const isOthers = !own.includes(model) && Object.values(known(use)).some((models) => models.includes(model));
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
