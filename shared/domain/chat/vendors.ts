import { VendorRefused } from '../../errors.ts';
import { stripSlashes } from '../strip-slashes.ts';

/** Base addresses of vendors that speak OpenAI's Chat Completions, by the provider's name. */
const baseUrls: Record<string, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  cerebras: 'https://api.cerebras.ai/v1',
  deepseek: 'https://api.deepseek.com/v1',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  groq: 'https://api.groq.com/openai/v1',
  mistral: 'https://api.mistral.ai/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  perplexity: 'https://api.perplexity.ai',
  together: 'https://api.together.xyz/v1',
  xai: 'https://api.x.ai/v1',
};

/** Vendors that do not follow `response_format`, so that a JSON schema has to be the parameters of a tool that they must call. */
const withoutResponseFormat = new Set(['anthropic']);

/** Vendors that refuse `stream_options`, and send the usage without being asked. */
const withoutStreamOptions = new Set(['mistral']);

/** Settings of a language model, as an assistant has them. */
export interface LlmSettings {
  llm_provider: string;
  model: string;
  [setting: string]: unknown;
}

/** Address and options of a vendor. */
export interface Vendor {
  name: string;
  /** Address of its chat completions. */
  url: string;
  /** An address that the user chose may need no key. */
  needsKey: boolean;
  /** Without a key, requests are signed by the function's role: Amazon Bedrock in the account of the service. */
  usesRole?: true;
  hasResponseFormat: boolean;
  hasStreamOptions: boolean;
}

/** Maximum length of `base_url` in characters. */
const maxUrlCharacters = 2_048;

/**
 * Returns the vendor of a language model: `base_url` of its settings, else the provider's own. Undefined if there is neither. Throws
 * VendorRefused for a `base_url` that is too long.
 */
export function findVendor({ llm_provider, base_url }: LlmSettings): Vendor | undefined {
  const name = llm_provider.trim().toLowerCase();
  const own = Object.hasOwn(baseUrls, name) ? baseUrls[name] : undefined;
  const chosen = typeof base_url === 'string' && base_url.trim() !== '' ? base_url.trim() : undefined;
  const base = chosen ?? own;
  if (base === undefined) return undefined;
  if (base.length > maxUrlCharacters)
    throw new VendorRefused('llm.base_url should have at most 2,048 characters', 'too_long');
  const url = `${stripSlashes(base)}/chat/completions`;
  return {
    name,
    url,
    needsKey: chosen === undefined,
    hasResponseFormat: !withoutResponseFormat.has(name),
    hasStreamOptions: !withoutStreamOptions.has(name),
  };
}

/** Settings of a language model that are parameters of its requests, unless the client sends others. */
const parameterNames = [
  ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'frequency_penalty', 'presence_penalty'],
  ...['reasoning_effort', 'verbosity', 'seed', 'parallel_tool_calls', 'service_tier'],
];

/** Two names of one limit: vendors refuse both together. */
const limitNames = ['max_tokens', 'max_completion_tokens'];

/** Returns the parameters of a request: the settings of the language model, unless the request has others. */
export function buildParameters(llm: LlmSettings, sent: Record<string, unknown>): Record<string, unknown> {
  const hasLimit = limitNames.some((name) => sent[name] != null);
  const isUsed = (name: string) =>
    llm[name] != null &&
    !(limitNames.includes(name) && hasLimit) &&
    (name !== 'parallel_tool_calls' || sent.tools !== undefined);
  return {
    ...Object.fromEntries(parameterNames.filter(isUsed).map((name) => [name, llm[name]])),
    ...sent,
    model: llm.model,
  };
}
