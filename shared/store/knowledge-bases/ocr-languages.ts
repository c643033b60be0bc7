import { env } from '../../env.ts';
import { Invalid } from '../../errors.ts';
import type { OcrLanguage, OcrLanguages } from '../../reading/languages.ts';
import { maxLanguages } from '../../schemas/knowledge-base.ts';

/** Languages that this deployment reads in pictures, the most likely first. */
export const availableLanguages = env('OCR_LANGUAGES').split(',') as OcrLanguage[];

const isAvailable = (language: string): language is OcrLanguage => (availableLanguages as string[]).includes(language);

/**
 * Returns the languages that a client names for the pictures of a document, without repetitions. Throws Invalid if there are more than five,
 * or one is not available.
 */
export function toChosenLanguages(named: string[] | null | undefined): OcrLanguage[] | undefined {
  const chosen = [...new Set(named?.map((language) => language.trim()))].filter(isAvailable);
  if (named?.some((language) => !isAvailable(language.trim()))) {
    const msg = `Pictures are read in ${availableLanguages.join(', ')} here: name some of these, or none to have them detected`;
    throw new Invalid([{ loc: ['body', 'languages'], msg, type: 'unknown_language' }]);
  }
  if (chosen.length > maxLanguages) {
    const msg = `Input should have at most ${maxLanguages} items`;
    throw new Invalid([{ loc: ['body', 'languages'], msg, type: 'too_long' }]);
  }
  return chosen.length > 0 ? chosen : undefined;
}

/** Returns the languages to read a document in. Drops those that are no longer available. */
export function toOcrLanguages(chosen: OcrLanguage[] | undefined): OcrLanguages {
  const left = chosen?.filter(isAvailable) ?? [];
  return { chosen: left.length > 0 ? left : undefined, available: availableLanguages };
}
