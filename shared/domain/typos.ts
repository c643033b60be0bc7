import { define } from '../define.ts';
import { catalogue, vendorSettings } from '../openapi/vendors.ts';
import { type AssistantUpdate, standardSettings } from '../schemas/assistant.ts';
import { serviceOf } from './credential.ts';
import { findNearMiss } from './near-miss.ts';

/** A field that is kept as it was sent, and what was probably meant: another field, or another value of it. */
export interface Typo {
  field: string;
  meant: string;
}

/** Settings that name a vendor, and the vendors that are known. */
const vendors = /* @__PURE__ */ define(() => ({
  voice: { setting: 'tts_provider', known: Object.keys(catalogue.tts) },
  llm: { setting: 'llm_provider', known: Object.keys(catalogue.llm) },
  transcriber: { setting: 'stt_provider', known: Object.keys(catalogue.stt) },
}));

/** Finds names in an assistant that are near misses of known ones. Any name is taken, so nothing else would point them out. */
export function findTypos(sent: Pick<AssistantUpdate, keyof typeof vendors>): Typo[] {
  return Object.entries(vendors).flatMap(([key, vendor]): Typo[] => {
    const part = key as keyof typeof vendors;
    const settings: Record<string, unknown> = sent[part] ?? {};
    const names = [...Object.keys(standardSettings[part]), ...vendorSettings[part]];
    const unused = names.filter((name) => !Object.hasOwn(settings, name));
    const findMeant = (name: string, value: unknown) =>
      name === vendor.setting
        ? findNearMiss(serviceOf(String(value).trim().toLowerCase()), vendor.known)
        : findNearMiss(name, unused);
    return Object.entries(settings).flatMap(([name, value]) => {
      const meant = value === null ? undefined : findMeant(name, value); // null removes a setting
      return meant ? [{ field: `${part}.${name}`, meant }] : [];
    });
  });
}
