import { normalizeService } from '../../../shared/domain/credential.ts';
import type { Draft } from './draft.ts';
import type { Field } from './source.ts';

/** Spellings of vendors by other platforms. */
const spellings: Record<string, string> = {
  'rime-ai': 'rime',
  'smallest-ai': 'smallestai',
  'perplexity-ai': 'perplexity',
  'together-ai': 'together',
  'deep-seek': 'deepseek',
  'inflection-ai': 'inflection',
  'anthropic-bedrock': 'aws',
  'azure-openai': 'azure',
  play: 'playht',
  'play-ht': 'playht',
};

/** Returns the name of a vendor as assistants spell it. */
export const toProvider = (name: string): string => {
  const plain = name.trim().toLowerCase();
  return normalizeService(Object.hasOwn(spellings, plain) ? (spellings[plain] ?? plain) : plain);
};

/** Vendors of language models, by the beginning of a model's name. */
const families: [beginning: RegExp, provider: string][] = [
  [/^(?:gpt-(?!oss)|chatgpt|o[134](?:-|$))/, 'openai'],
  [/^claude/, 'anthropic'],
  [/^gemini/, 'google'],
  [/^grok/, 'xai'],
];

const maxName = 128;

/** Reads the name of a vendor's model or voice. */
export function readVendorName(field: Field, max = maxName): string | undefined {
  const text = field.isEmpty ? undefined : field.text()?.trim();
  if (text === undefined) return undefined;
  if (text && [...text].length <= max) return text;
  field.lose(`It should have 1 to ${max} characters`);
  return undefined;
}

/** Reads a language model, and finds its vendor by its name. Without a known vendor, the assistant keeps the default model. */
export function setModelByName(draft: Draft, field: Field): void {
  const name = readVendorName(field);
  if (name === undefined) return;
  const provider = families.find(([beginning]) => beginning.test(name))?.[1];
  if (!provider) {
    field.lose('No vendor is known to offer this model: choose one, or keep the default');
    return;
  }
  // Anthropic writes the version last, some platforms first: claude-4.5-sonnet.
  const model = name.replace(
    /^claude-(\d+(?:\.\d+)?)-([a-z]+)$/,
    (_, version: string, tier: string) => `claude-${tier}-${version.replace('.', '-')}`,
  );
  if (model !== name) field.change(`It is named ${model} at its vendor`);
  Object.assign(draft.llm, { llm_provider: provider, model });
}
