// What the OpenAPI document says over what routes and schemas know. Data only: nothing is validated by it.
import { catalogue, languages } from './vendors.ts';

const models = (vendors: Record<string, string[]>) => [...new Set(Object.values(vendors).flat())];

/** What a schema cannot say of a field of this name, wherever it stands. */
export const fieldNotes: Record<string, { description: string; examples?: string[] }> = {
  system_instruction: {
    description: 'What the assistant is, knows and does: the system prompt of its language model.',
  },
  description: { description: 'A note for people.' },
  first_message: { description: 'What the assistant says first. Null: it waits for the caller.' },
  voice: { description: 'Speech synthesis.' },
  llm: { description: 'The language model.' },
  transcriber: { description: 'Speech recognition.' },
  knowledge_base: {
    description: 'A vector store, or `builtin` with the id of a knowledge base, which is then attached.',
  },
  transport: { description: 'How calls reach the assistant.' },
  voice_id: { description: "The vendor's id of the voice. Null: the vendor's own default." },
  tts_provider: { description: 'Who makes the voice.', examples: Object.keys(catalogue.tts) },
  tts_model: {
    description: "The vendor's model; `default` is the vendor's own choice.",
    examples: models(catalogue.tts),
  },
  llm_provider: { description: 'Who runs the language model.', examples: Object.keys(catalogue.llm) },
  model: { description: "The vendor's model.", examples: models(catalogue.llm) },
  stt_provider: { description: 'Who recognizes speech.', examples: Object.keys(catalogue.stt) },
  stt_model: { description: "The vendor's model.", examples: models(catalogue.stt) },
  language: {
    description: "A language code as the vendor writes it, stored as sent; some take `multi` or `auto` for 'any'.",
    examples: languages,
  },
  sip_config: {
    description: 'Settings of your SIP trunk, returned as sent. Not the place for secrets: store those as credentials.',
  },
  attached_knowledge_bases: { description: 'As they are at the time of the read.' },
  service_type: {
    description: "A third-party service, kept in small letters; vendors' aliases (`11labs`) are one service.",
    examples: [...new Set(Object.values(catalogue).flatMap(Object.keys))],
  },
  api_key: {
    description:
      "The service's secret, white space at its ends aside. Kept encrypted; only the worker's read shows it.",
  },
  raw: {
    description: 'The item as it was sent; `{truncated: true}` of one that no answer can hold (2.5 MB and more).',
  },
  masked_key: { description: 'The last four characters of the key, none of one of eight or fewer.' },
  scopes: {
    description:
      'What the key may: `read`, `write` (change), `logs` (save call logs), `runtime` (read what a worker needs, secrets too).',
  },
  grace_seconds: { description: 'For how long the old key stays good.' },
  replaced_by: { description: 'The id of the key that took its place, where it was rotated.' },
  last_used_at: { description: 'The hour of its last use.' },
  secret: { description: 'The key itself. Shown once.' },
  preview: { description: 'The first words of the caller; of anybody where the caller said nothing.' },
  end_reason: { description: 'Why the call ended, in the words of the worker.' },
  file: { description: 'The document.' },
  file_name: { description: 'The name of the file.' },
  size_bytes: { description: 'The size of the file.' },
  sha256: { description: 'Of the file, in hex; null until it has arrived.' },
  status_reason: { description: 'Why it failed, where it did; `type` is a stable name, `msg` says what to do.' },
  char_count: { description: 'Characters of its text, in UTF-16 code units.' },
  chunk_count: { description: 'Passages that are searched.' },
  vectorstore_namespace: {
    description: 'The id of a knowledge base, where `vectorstore_index` is `builtin`; it is then attached.',
  },
  page: { description: 'Where the passage begins; null where a kind has no pages.' },
  score: { description: 'How well it fits, compared with others of the same answer.' },
  reasons: { description: 'Why there is no credential, where there is none; `type` is a stable name.' },
  is_consistent: { description: 'Whether both languages are the same, or one of them is `multi` or `auto`.' },
};

/** What each parameter is for. */
export const parameterNotes: Record<string, string> = {
  assistant_id: 'The id of one of your assistants, in any case.',
  limit: 'Most items in one answer. Without it as many as fit, unless the operation says otherwise.',
  cursor: 'Where to go on: from the `Link` header of the answer before.',
  name: 'Only those whose name contains this text, in any case, with or without accents.',
  session_id: 'The id of one of your sessions.',
  api_key_id: 'The id of one of your API keys.',
  knowledge_base_id: 'The id of one of your knowledge bases, in any case.',
  force: '`true` detaches it from all assistants first.',
  'knowledge-bases/list cursor': 'Where to go on: `next_cursor` of the answer before.',
  room_name: 'Only those of this room.',
  from: 'Only calls that started at this time or later (RFC 3339).',
  to: 'Only calls that started at this time or earlier (RFC 3339).',
  skip: 'How many to leave out first.',
  'logs/sessions assistant_id': 'Only those of this assistant.',
  'logs/list assistant_id': 'Only those of this assistant.',
  'logs/sessions cursor': 'Where to go on: `next_cursor` of the answer before.',
  'logs/get cursor': 'Where to go on: `next_cursor` of the answer before.',
  'logs/list cursor': 'Where to go on: `next_cursor` of the answer before.',
  service_type: 'A third-party service, in any case: `elevenlabs`, or its alias `11labs`.',
  'credentials/delete name': 'Which credential of the service, where it has several.',
};

/** What each group of operations is about: the first part of their ids. */
export const tagNotes: Record<string, string> = {
  logs: 'What was said in calls.',
  chats: 'The same calls, listed by limit and skip.',
  'knowledge-bases': 'Documents that assistants know: upload, read, attach, search.',
  'api-keys': 'Keys for workers, which have no person behind them.',
  credentials: 'Keys of third-party services, kept encrypted.',
  protected: 'Who you are to the service.',
  assistants: 'Voice assistants: what they say, and the voice, language model and speech recognition they use.',
};

/** What every answer that has such a header means by it. */
export const headerNotes: Record<string, string> = {
  'x-request-id': 'Names this request in the logs of the service.',
  etag: 'The version of the answer, for `If-None-Match` and `If-Match`.',
  location: 'The path of what was created.',
  link: 'The next page, where there is one: `<?cursor=…>; rel="next"` (RFC 8288), relative to the request.',
  'x-ignored-fields': 'Keys of the body that nothing reads, percent-encoded.',
  'x-did-you-mean':
    'Fields of the body that are kept as sent but look mistyped, percent-encoded, each with the name or the vendor that was ' +
    'probably meant: `voice.spede=speed, llm.llm_provider=openai`.',
  'idempotent-replay': '`true` where this is the answer to an earlier request with the same `Idempotency-Key`.',
  'retry-after': 'Seconds to wait before the same request may succeed.',
  'x-amzn-remapped-www-authenticate':
    'The challenge of RFC 6750, under the name that API Gateway gives `WWW-Authenticate`.',
};

/** Request headers over those that HTTP itself asks for. */
export const headerParameters = {
  'idempotency-key': {
    name: 'Idempotency-Key',
    description: 'A key of your choice, such as a UUID: the same key and body give the first successful answer again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  'if-match': {
    name: 'If-Match',
    description: 'The `ETag` that you read: the edit is made only if nobody has edited since (412), attachments aside.',
    schema: { type: 'string', maxLength: 400 },
  },
  'if-none-match': {
    name: 'If-None-Match',
    description: 'The `ETag` that you have: 304 without a body if it is still current.',
    schema: { type: 'string' },
  },
};

/** When each status that is an error comes, and the name of its answer. */
export const statusNotes: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The gateway cannot read the request, as where its compression is damaged' },
  401: { name: 'Unauthorized', description: 'No token, or one that is not valid' },
  403: {
    name: 'Forbidden',
    description:
      'The API key lacks the scope that the operation needs, or the operation takes no key, or only keys; ' +
      'or the firewall takes the request for an attack',
  },
  404: { name: 'NotFound', description: "Nothing of yours has this id; another user's things are not found either" },
  409: {
    name: 'Conflict',
    description: 'Another request is writing the same thing, or the `Idempotency-Key` was used for another request',
  },
  412: { name: 'PreconditionFailed', description: '`If-Match` names a version that is no longer current' },
  413: { name: 'TooLarge', description: 'The body, or what it makes, is larger than the limit that `msg` names' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'Another `Content-Type`. JSON is `application/json` or `*+json`; a missing one counts as JSON',
  },
  422: { name: 'Invalid', description: 'Something fails validation: all faults at once' },
  429: { name: 'TooManyRequests', description: 'Throttled' },
  500: { name: 'Internal', description: 'Our fault' },
  502: {
    name: 'BadGateway',
    description:
      'A function crashed, was throttled, or gave no answer that can be passed on. A write may have been made',
  },
  503: { name: 'Unavailable', description: 'Something that the service depends on failed' },
  504: { name: 'Timeout', description: 'It took too long. A write may have been made' },
};

/** Where the service is. */
export const servers = [
  {
    url: 'https://{api_id}.execute-api.{region}.amazonaws.com/{stage}',
    description: 'A deployment: the stack prints its address as `Url`',
    variables: {
      api_id: { default: 'a1b2c3d4e5', description: 'The id that API Gateway gave the API' },
      region: { default: 'eu-central-1' },
      stage: { default: 'dev', description: 'The environment' },
    },
  },
];

/** How a caller says who it is. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of the issuer that the service is configured with. Its `sub` is the user.',
  },
  api_key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'va_',
    description:
      'An API key, for workers. It acts as the user who made it, within its scopes: those that an operation names here. ' +
      'Scanners find one by `va_[a-z0-9-]+_[0-9a-z]{57}`; the last seven characters are the CRC-32 of those before, in base 36.',
  },
};

/** The conventions, which hold for every operation. */
export const conventions = `
Manages conversational voice assistants. Each user sees their own, and nothing of others.

**Requests** are JSON in UTF-8. Every path answers with and without a trailing slash, alike. Text may be any Unicode but NUL,
lone surrogates and U+FFFD, which stands for bytes that are not UTF-8 (call logs and searches take that one); whole numbers
beyond 2^53 are sent as text; nesting ends at 32 levels. Unknown keys at the top of a body are ignored and named in
\`x-ignored-fields\`, so that a typo can be seen.

**Answers**: success is 200. Ids are lower-case UUIDs (version 7), times are RFC 3339 in UTC with milliseconds. Every answer
carries \`x-request-id\`; quote it when you report a problem.

**Errors** have one shape (\`Error\`), whoever makes them: \`type\` is a stable name for programs, \`msg\` is for people, \`loc\` says
where. Checks come in this order: path (404), method (405, with \`Allow\`), token (401), media type (415), size (413), everything
that fails validation (422, all faults at once), the resource (404), conditions (409, 412). Only the 413 above 6 MB has the
platform's own shape.

**Writing safely**: a POST with an \`Idempotency-Key\` can be sent again for 24 hours without doing its work twice.
After a 5xx, or no answer, what was asked for may have been done: send it again, a POST with the same key. Answers that
carry an \`ETag\` are cached by \`If-None-Match\`; edits are made conditional by \`If-Match\`. Without it, two writers who change
different fields both keep their change.

**Browsers**: CORS holds for the origins that the service is configured with; all headers named here are exposed.

**Throttling**: by default 100 requests a second, 200 at once, to each method of each path, and where a firewall stands before the
service, 100 a second over all; beyond it 429 with \`Retry-After\`.

**Versions**: paths never change; additions only. What is to go says so by \`Deprecation\` and \`Sunset\` six months ahead.
`;
