// Known vendors and their settings: suggestions in the OpenAPI document and the console. Data only.

/** Vendors and models, spelled as in LiveKit's plugins. Any other name is accepted too, because new vendors appear monthly. */
export const catalogue = {
  tts: {
    cartesia: ['sonic-3', 'sonic-2', 'sonic-turbo'],
    elevenlabs: ['eleven_flash_v2_5', 'eleven_turbo_v2_5', 'eleven_multilingual_v2', 'eleven_v3'],
    openai: ['gpt-4o-mini-tts', 'tts-1', 'tts-1-hd'],
    deepgram: ['aura-2', 'aura'],
    rime: ['arcana', 'mistv2'],
    inworld: ['inworld-tts-1.5-max', 'inworld-tts-1.5-mini'],
    google: ['chirp_3', 'gemini-2.5-flash-tts'],
    aws: ['generative', 'neural'],
  },
  llm: {
    openai: ['gpt-4.1-mini', 'gpt-4.1', 'gpt-4o', 'gpt-5-mini', 'gpt-5'],
    anthropic: ['claude-haiku-4-5-20251001', 'claude-sonnet-4-5-20250929'],
    google: ['gemini-2.5-flash', 'gemini-2.5-flash-lite', 'gemini-2.5-pro'],
    groq: ['llama-3.3-70b-versatile', 'llama-3.1-8b-instant', 'openai/gpt-oss-120b'],
    mistralai: ['mistral-medium-2505', 'ministral-8b-2410'],
    aws: ['amazon.nova-pro-v1:0', 'amazon.nova-lite-v1:0'],
    xai: ['grok-4-1-fast-non-reasoning'],
  },
  stt: {
    deepgram: ['nova-3', 'nova-3-medical', 'nova-2-phonecall', 'flux-general-en'],
    assemblyai: ['universal-streaming', 'universal-streaming-multilingual'],
    openai: ['gpt-4o-transcribe', 'gpt-4o-mini-transcribe', 'whisper-1'],
    google: ['chirp_3', 'chirp_2', 'telephony'],
    cartesia: ['ink-whisper'],
    elevenlabs: ['scribe_v2_realtime'],
    groq: ['whisper-large-v3-turbo', 'whisper-large-v3'],
    speechmatics: ['enhanced', 'standard'],
    soniox: ['stt-rt-v4'],
  },
};

/** Purpose of a vendor: speech synthesis, language model or speech recognition. */
export type VendorUse = keyof typeof catalogue;

/** Common vendor settings. Any other name is accepted too. A near miss of one of these is reported as a likely typo. */
export const vendorSettings = {
  voice: [
    'credential',
    'emotion',
    'instructions',
    'pitch',
    'similarity_boost',
    'speaking_rate',
    'speed',
    'stability',
    'style',
    'temperature',
    'volume',
  ],
  llm: [
    'credential',
    'frequency_penalty',
    'max_completion_tokens',
    'max_tokens',
    'presence_penalty',
    'reasoning_effort',
    'seed',
    'temperature',
    'top_k',
    'top_p',
  ],
  transcriber: [
    'credential',
    'interim_results',
    'keyterm',
    'keyterms',
    'keywords',
    'numerals',
    'profanity_filter',
    'punctuate',
    'smart_format',
  ],
};

/** Language codes in the spelling of several vendors. `multi` and `auto` mean any language. */
export const languages = [
  'en',
  'en-US',
  'en-GB',
  'de',
  'de-CH',
  'fr',
  'es',
  'it',
  'nl',
  'pt-BR',
  'pl',
  'sv',
  'tr',
  'ar',
  'hi',
  'ja',
  'ko',
  'cmn-Hans-CN',
  'en_US',
  'multi',
  'auto',
];
