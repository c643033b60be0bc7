import { define } from '../define.ts';
import { catalogue, vendorSettings } from '../openapi/vendors.ts';
import { type AssistantUpdate, defaultSettings } from '../schemas/assistant.ts';
import { normalizeService } from './credential.ts';
import { findNearMiss } from './near-miss.ts';

/** A field that is stored as sent but is probably a typo. `meant` is the likely field name or value. */
export interface Typo {
  field: string;
  meant: string;
}

/** Settings that name a vendor, with the known vendors. */
const vendors = /* @__PURE__ */ define(() => ({
  voice: { setting: 'tts_provider', known: Object.keys(catalogue.tts) },
  llm: { setting: 'llm_provider', known: Object.keys(catalogue.llm) },
  transcriber: { setting: 'stt_provider', known: Object.keys(catalogue.stt) },
}));

/**
 * Finds near misses of known names in an assistant. Unknown names are valid too, so validation does not report them.
 */
export function findTypos(sent: Pick<AssistantUpdate, keyof typeof vendors>): Typo[] {
  return Object.entries(vendors).flatMap(([key, vendor]): Typo[] => {
    const part = key as keyof typeof vendors;
    const settings: Record<string, unknown> = sent[part] ?? {};
    const names = [...Object.keys(defaultSettings[part]), ...vendorSettings[part]];
    const unused = names.filter((name) => !Object.hasOwn(settings, name));
    const findMeant = (name: string, value: unknown) =>
      name === vendor.setting
        ? findNearMiss(normalizeService(String(value).trim().toLowerCase()), vendor.known)
        : findNearMiss(name, unused);
    return Object.entries(settings).flatMap(([name, value]) => {
      const meant = value === null ? undefined : findMeant(name, value); // null removes a setting
      return meant ? [{ field: `${part}.${name}`, meant }] : [];
    });
  });
}
