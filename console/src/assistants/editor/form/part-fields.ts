import type { VendorUse } from '../../../../../shared/openapi/vendors.ts';
import type { Part } from '../../draft/draft.ts';
import { getLanguageName, languages, listModels, listProviders } from './suggestions.ts';

type Settings = Record<string, unknown>;

/** Form field for a setting that the API knows. */
export interface PartField {
  setting: string;
  /** True if an empty field means null. */
  nullable?: boolean;
  suggestions?: (settings: Settings) => string[];
  explain?: (suggestion: string) => string | undefined;
  /** Set on a field that chooses a vendor: changing it also updates the setting named `model`. */
  chooses?: { use: VendorUse; model: string };
}

const language: PartField = { setting: 'language', suggestions: () => languages, explain: getLanguageName };

/** Builds the fields for a vendor and its model. */
const buildVendorFields = (use: VendorUse, provider: string, model: string): PartField[] => [
  { setting: provider, suggestions: () => listProviders(use), chooses: { use, model } },
  { setting: model, suggestions: (settings) => listModels(use, String(settings[provider])) },
];

/** Text fields of each part. */
export const partFields: Record<Part, PartField[]> = {
  voice: [...buildVendorFields('tts', 'tts_provider', 'tts_model'), { setting: 'voice_id', nullable: true }, language],
  llm: buildVendorFields('llm', 'llm_provider', 'model'),
  transcriber: [...buildVendorFields('stt', 'stt_provider', 'stt_model'), language],
  knowledge_base: [
    { setting: 'vectorstore_index', nullable: true },
    { setting: 'vectorstore_namespace', nullable: true },
  ],
  transport: [],
};
