import { catalogue, languages, type VendorUse } from '../../../../../shared/openapi/vendors.ts';

const getCatalogue = (use: VendorUse): Record<string, string[]> => catalogue[use];

/** Lists the known vendors. Others are valid too. */
export const listProviders = (use: VendorUse): string[] => Object.keys(getCatalogue(use));

/** Lists the known models of a vendor, or all known models if the vendor is unknown. */
export function listModels(use: VendorUse, provider: string): string[] {
  const vendors = getCatalogue(use);
  return Object.hasOwn(vendors, provider) ? (vendors[provider] ?? []) : [...new Set(Object.values(vendors).flat())];
}

/**
 * Returns the model to use after a change of vendor: replaces another vendor's model with the first of the new one, and
 * keeps any other text.
 */
export function chooseModel(use: VendorUse, provider: string, model: string): string {
  const own = listModels(use, provider);
  const isOtherVendors =
    !own.includes(model) && Object.values(getCatalogue(use)).some((models) => models.includes(model));
  return isOtherVendors ? (own[0] ?? model) : model;
}

export { languages };

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Returns the English name of a language code; undefined if the code is unknown. */
export function getLanguageName(code: string): string | undefined {
  try {
    return languageNames.of(code.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
}
