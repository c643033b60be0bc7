import type { Use } from '../../../../shared/openapi/vendors.ts';
import type { Part } from '../draft.ts';
import { languageName, languages, modelsOf, providersOf } from '../suggestions.ts';

type Settings = Record<string, unknown>;

/** A setting that the service knows, as the form shows it. */
export interface PartField {
  setting: string;
  /** Nothing typed is null. */
  nullable?: boolean;
  suggestions?: (settings: Settings) => string[];
  explain?: (suggestion: string) => string | undefined;
  /** Chooses vendors, so that the model that stands in `model` changes with it. */
  chooses?: { use: Use; model: string };
}

const language: PartField = { setting: 'language', suggestions: () => languages, explain: languageName };

/** A vendor and their model. */
const vendor = (use: Use, provider: string, model: string): PartField[] => [
  { setting: provider, suggestions: () => providersOf(use), chooses: { use, model } },
  { setting: model, suggestions: (settings) => modelsOf(use, String(settings[provider])) },
];

/** The settings that have a field of text, by part. */
export const partFields: Record<Part, PartField[]> = {
  voice: [...vendor('tts', 'tts_provider', 'tts_model'), { setting: 'voice_id', nullable: true }, language],
  llm: vendor('llm', 'llm_provider', 'model'),
  transcriber: [...vendor('stt', 'stt_provider', 'stt_model'), language],
  knowledge_base: [
    { setting: 'vectorstore_index', nullable: true },
    { setting: 'vectorstore_namespace', nullable: true },
  ],
  transport: [],
};
